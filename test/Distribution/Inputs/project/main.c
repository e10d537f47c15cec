/* Runs both models of the project on the emulator and prints what they give: y = x W + 0.5. */
#include "inside.h"
#include "outside.h"

#include <stdio.h>

static int report(const twrt_error *error) {
  fprintf(stderr, "%s: %s\n", twrt_status_name(error->status), error->message);
  return 1;
}

int main(void) {
  const float x[6] = {1, 0, 0, 0, 1, 0};
  float y[12];
  twrt_error error;
  twrt_session_options options;
  inside *first = NULL;
  outside *second = NULL;
  twrt_session_options_init(&options);
  options.device = TWRT_DEVICE_EMULATOR;
  options.emulator_library = EMULATOR;
  if (inside_open(&options, &first, &error) != TWRT_OK || inside_run(first, x, y, &error) != TWRT_OK)
    return report(&error);
  printf("inside %g %g\n", y[0], y[11]);
  if (outside_open(&options, &second, &error) != TWRT_OK || outside_run(second, x, y, &error) != TWRT_OK)
    return report(&error);
  printf("outside %g %g\n", y[0], y[11]);
  inside_close(first);
  outside_close(second);
  return 0;
}
