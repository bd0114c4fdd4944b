/* A program that loads MPI late, for one module alone, as interpreters do.
 *
 *   loads_late MODULE WORDS...
 *
 * runs `run` of the module, whose arguments are all words after its own name. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int (*run)(int, char **) = NULL;
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (module != NULL)
        *(void **)&run = dlsym(module, "run");
    if (run == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    return run(argc - 1, argv + 1);
}
