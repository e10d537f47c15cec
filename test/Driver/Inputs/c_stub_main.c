/* Runs the stub of test/Driver/c-stub.mlir on the emulator whose library is the first argument. */
#include "model.h"

#include <stdio.h>

int main(int argc, char **argv) {
  const float x[6] = {1, 2, 3, 4, 5, 6}, scale[3] = {10, 20, 30};
  float sum[6];
  twrt_error error;
  twrt_session_options options;
  model *self;
  if (argc != 2)
    return 2;
  twrt_session_options_init(&options);
  options.device = TWRT_DEVICE_EMULATOR;
  options.emulator_library = argv[1];
  if (model_open(&options, &self, &error) != TWRT_OK || model_run(self, x, scale, sum, &error) != TWRT_OK) {
    fprintf(stderr, "%s: %s\n", twrt_status_name(error.status), error.message);
    return 1;
  }
  printf("%g %g %g %g %g %g\n", sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]);
  model_close(self);
  return 0;
}
