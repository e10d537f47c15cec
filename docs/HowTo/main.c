/* Runs model.onnx, compiled to a C function, on one row: docs/HowTo/CallFromC.md. */
#include "model.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  float x[1 * 128], y[1 * 64];
  twrt_error error;
  twrt_session_options options;
  model *encoder;
  twrt_session_options_init(&options);
  if (argc == 3 && strcmp(argv[1], "emulator") == 0) {
    options.device = TWRT_DEVICE_EMULATOR;
    options.emulator_library = argv[2];
  }
  for (int i = 0; i < 128; ++i)
    x[i] = (float)i / 128;
  if (model_open(&options, &encoder, &error) != TWRT_OK || model_run(encoder, x, y, &error) != TWRT_OK) {
    fprintf(stderr, "%s: %s\n", twrt_status_name(error.status), error.message);
    return 1;
  }
  printf("%s: %g %g ...\n", twrt_session_device(model_session(encoder)), y[0], y[1]);
  model_close(encoder);
  return 0;
}
