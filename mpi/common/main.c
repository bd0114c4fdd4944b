/* main of the experiments in bench/, each of which defines one. */
#include "driver.h"

int main(int argc, char **argv) { return contend_drive(&contend_experiment, argc, argv); }
