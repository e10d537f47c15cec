/* A C99 program on the runtime: main PACKAGE.tw DRIVER.so. Runs the test package and prints what it gets. */
#include "Tilewright/Runtime/tilewright_runtime.h"

#include <stdio.h>

static int fail(const twrt_error *error) {
  fprintf(stderr, "%s: %s\n", twrt_status_name(error->status), error->message);
  return 1;
}

int main(int argc, char **argv) {
  twrt_error error;
  twrt_package *package = NULL;
  twrt_session *session = NULL;
  twrt_session_options options;
  float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {0}, scale = 1;
  const int64_t shape[2] = {2, 3};
  twrt_host_tensor inputs[2], output;
  if (argc != 3)
    return 2;
  twrt_session_options_init(&options);
  options.driver_library = argv[2];
  if (twrt_package_open(argv[1], &package, &error) != TWRT_OK)
    return fail(&error);
  if (twrt_session_create(package, &options, &session, &error) != TWRT_OK)
    return fail(&error);
  printf("%s\n", twrt_session_device(session));
  inputs[0].name = "x", inputs[0].dtype = TWRT_F32, inputs[0].rank = 2, inputs[0].shape = shape,
  inputs[0].data = x;
  inputs[1].name = "scale", inputs[1].dtype = TWRT_F32, inputs[1].rank = 0, inputs[1].shape = NULL;
  inputs[1].data = &scale;
  output = inputs[0];
  output.name = "y", output.data = y;
  if (twrt_run_host(session, inputs, 2, &output, 1, &error) != TWRT_OK)
    return fail(&error);
  printf("y[0] = %.1f, y[5] = %.1f\n", y[0], y[5]);
  if (twrt_bind(session, "nothing", x, sizeof x, &error) != TWRT_OK)
    printf("%s: %s\n", twrt_status_name(error.status), error.message);
  twrt_session_destroy(session);
  twrt_package_close(package);
  return 0;
}
