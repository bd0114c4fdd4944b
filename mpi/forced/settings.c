/* Reads settings: a line each, a name and control variables, after what is timed under them.
 *
 *   contend-forced 1 bcast
 *   native
 *   openmpi:chain coll_tuned_use_dynamic_rules=1 coll_tuned_bcast_algorithm=2
 *   mpich:ring MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=8 first:MPIR_CVAR_COLLECTIVE_FALLBACK=1
 *
 * What begins with first: is set for the first call of a point alone, which is not timed.
 */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "require.h"

#define BLANKS " \n"
#define FIRST "first:"

static char *copy(const char *text)
{
    return strcpy(contend_allocate(strlen(text) + 1, "name in a file of settings"), text);
}

static bool add_control(struct contend_setting *setting, const char *text)
{
    const bool is_first = strncmp(text, FIRST, strlen(FIRST)) == 0;
    text += is_first ? strlen(FIRST) : 0;
    const char *equals = strchr(text, '=');
    long long value;
    int end = 0;
    if (equals == NULL || equals == text || sscanf(equals + 1, "%lld%n", &value, &end) != 1 ||
        equals[1 + end] != '\0')
        return false;
    setting->controls = contend_reallocate(
        setting->controls, (setting->count + 1) * sizeof *setting->controls, "control variables");
    struct contend_control *control = setting->controls + setting->count++;
    *control = (struct contend_control){.name = copy(text), .value = value, .is_first = is_first};
    control->name[equals - text] = '\0';
    return true;
}

/* Adds the setting of a line; what is wrong with it, or NULL. */
static const char *add(struct contend_settings *settings, char *line)
{
    char *rest = NULL;
    const char *name = strtok_r(line, BLANKS, &rest);
    if (name == NULL)
        return "is empty";
    const size_t at = settings->count++;
    settings->names =
        contend_reallocate(settings->names, (at + 2) * sizeof *settings->names, "names");
    settings->names[at] = copy(name);
    settings->names[at + 1] = NULL;
    settings->settings =
        contend_reallocate(settings->settings, (at + 1) * sizeof *settings->settings, "settings");
    settings->settings[at] = (struct contend_setting){0};
    for (char *text = strtok_r(NULL, BLANKS, &rest); text; text = strtok_r(NULL, BLANKS, &rest))
        if (!add_control(settings->settings + at, text))
            return "has a control variable without a number";
    return NULL;
}

bool contend_read_settings(const char *path, struct contend_settings *settings, char *error,
                           size_t size)
{
    *settings = (struct contend_settings){0};
    FILE *file = fopen(path, "r");
    char *line = NULL, name[64] = "";
    size_t room = 0, number = 1;
    const char *wrong = file == NULL ? "cannot be read" : NULL;
    if (wrong == NULL &&
        (getline(&line, &room, file) < 0 || sscanf(line, "contend-forced 1 %63s", name) != 1))
        wrong = "does not begin with 'contend-forced 1' and an experiment";
    settings->experiment = copy(name);
    while (wrong == NULL && getline(&line, &room, file) >= 0) {
        number++;
        wrong = add(settings, line);
    }
    if (wrong == NULL && settings->count == 0)
        wrong = "has no setting behind it";
    if (wrong != NULL)
        snprintf(error, size, "%s line %zu %s", path, number, wrong);
    free(line);
    if (file != NULL)
        fclose(file);
    return wrong == NULL;
}

void contend_free_settings(struct contend_settings *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        for (size_t j = 0; j < settings->settings[i].count; j++)
            free(settings->settings[i].controls[j].name);
        free(settings->settings[i].controls);
        free(settings->names[i]);
    }
    free(settings->names);
    free(settings->settings);
    free(settings->experiment);
}
