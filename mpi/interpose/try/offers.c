/* What the MPI library offers for an operation, and how a call is made by it.
 *
 * Source: MPI 4.1, section 15.3.6 (control variables of MPI_T). Open MPI reads
 * coll_tuned_<operation>_algorithm when a communicator is made, if coll_tuned_use_dynamic_rules is
 * set: by 4.1 only before MPI_Init, which is why it is set in the environment there, unless the
 * program has rules or forced algorithms that it would wake. coll/han, of a higher priority
 * from 5.0 on, is kept out of those communicators. MPICH reads
 * MPIR_CVAR_<OPERATION>_INTRA_ALGORITHM at each call; which number a name has says the variable's
 * description, a line for each in their order. Other libraries offer nothing: Intel MPI reads its
 * variables in MPI_Init alone. */
#include "offers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../communicators.h"
#include "../modes.h"
#include "controls.h"
#include "report.h"

#define DYNAMIC "coll_tuned_use_dynamic_rules"
#define DYNAMIC_IN_ENVIRONMENT "OMPI_MCA_" DYNAMIC
#define RULES "coll_tuned_dynamic_rules_filename"
#define SEGMENT 65536          /* bytes of a segment, of what cuts messages */
#define RING_SEGMENT (1 << 20) /* what Open MPI gives its segmented ring by itself */

enum library { NONE, OF_OPENMPI, OF_MPICH };
enum ranks { ANY, EVEN, POWER_OF_TWO };
enum { NAME = 128, DESCRIPTION = 8192 };

static const struct {
    struct contend_offer offer;
    enum library library;
    int since;
    enum ranks ranks;
} all[] = {
#define OFFER(library, operation, name, number, since, ranks)                                      \
    {{CONTEND_##operation, name, number, NULL}, OF_##library, since, ranks},
#include "offers.def"
#undef OFFER
};
enum { ALL = sizeof all / sizeof all[0] };

/* Of MPICH: an operation's algorithm, and whether its device may put one together. */
struct forced {
    struct contend_variable algorithm, device;
    bool is_there, has_device;
    long long algorithm_before, device_before;
};

static enum library library;
static int version; /* 401: 4.1 */
static bool has_tools;
static struct forced forced[CONTEND_OPERATIONS];
static int numbers[ALL]; /* of MPICH; 0: this version has none of the name */

static void find_library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0, major = 0, minor = 0;
    library = NONE;
    if (PMPI_Get_library_version(text, &length) != MPI_SUCCESS)
        return;
    if (sscanf(text, "Open MPI v%d.%d", &major, &minor) == 2)
        library = OF_OPENMPI;
    else if (sscanf(text, "MPICH Version: %d.%d", &major, &minor) == 2)
        library = OF_MPICH;
    version = 100 * major + minor;
}

static bool begin_tools(void)
{
    int given = 0;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &given) == MPI_SUCCESS;
}

/* Whether a control variable of text has any. */
static bool has_text(const char *name)
{
    int index = 0, count = 0;
    char text[4096] = "";
    MPI_T_cvar_handle handle;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
        return false;
    const bool is_read = count <= (int)sizeof text && MPI_T_cvar_read(handle, text) == MPI_SUCCESS;
    MPI_T_cvar_handle_free(&handle);
    return !is_read || text[0] != '\0';
}

static void name_of_openmpi(char name[NAME], enum contend_operation operation, const char *what)
{
    snprintf(name, NAME, "coll_tuned_%s_algorithm%s", contend_operation_names[operation], what);
}

/* Whether the user has told Open MPI something of algorithms. */
static bool is_told(void)
{
    long long value = 0;
    char name[NAME];
    for (int i = 0; i < ALL; i++) {
        name_of_openmpi(name, all[i].offer.operation, "");
        if (all[i].library == OF_OPENMPI &&
            contend_look_at_control(name, &value) != CONTEND_CONTROL_UNKNOWN && value != 0)
            return true;
    }
    return has_text(RULES);
}

/* MPI_T stays open if all is well: Open MPI 5.0.11, which needs none of this, dies in MPI_Init of
 * one that was ended before. */
void contend_prepare_offers(void)
{
    find_library();
    if (library != OF_OPENMPI || version >= 500 || getenv(DYNAMIC_IN_ENVIRONMENT) != NULL)
        return;
    setenv(DYNAMIC_IN_ENVIRONMENT, "1", 0);
    has_tools = begin_tools();
    if (has_tools && !is_told())
        return;
    unsetenv(DYNAMIC_IN_ENVIRONMENT);
    if (has_tools)
        MPI_T_finalize();
    has_tools = false;
}

/* The place of a name among the lines "name - what it is" of a description; -1: there is none. */
static int place_of(const char *name, const char *description)
{
    const size_t length = strlen(name);
    int place = -1;
    for (const char *line = strchr(description, '\n'); line != NULL; line = strchr(line, '\n')) {
        line++;
        while (*line == ' ' || *line == '\t')
            line++;
        if (*line == '\0' || *line == '\n')
            continue;
        place++;
        if (strncmp(line, name, length) == 0 && isspace((unsigned char)line[length]))
            return place;
    }
    return -1;
}

static void describe(const struct contend_variable *variable, char text[DESCRIPTION])
{
    int name = 0, length = DESCRIPTION, verbosity, bind, scope;
    MPI_Datatype type;
    MPI_T_enum values;
    text[0] = '\0';
    MPI_T_cvar_get_info(variable->index, NULL, &name, &verbosity, &type, &values, text, &length,
                        &bind, &scope);
}

static void name_of_mpich(char name[NAME], enum contend_operation operation, const char *what)
{
    snprintf(name, NAME, "MPIR_CVAR_%s_%s", contend_operation_names[operation], what);
    for (char *letter = name; *letter != '\0'; letter++)
        *letter = (char)toupper((unsigned char)*letter);
}

static void find_numbers(void)
{
    static char text[DESCRIPTION];
    char name[NAME];
    for (int i = 0; i < ALL; i++) {
        const enum contend_operation operation = all[i].offer.operation;
        struct forced *one = &forced[operation];
        if (all[i].library != OF_MPICH)
            continue;
        name_of_mpich(name, operation, "INTRA_ALGORITHM");
        one->is_there = one->is_there || contend_open_variable(name, &one->algorithm);
        name_of_mpich(name, operation, "DEVICE_COLLECTIVE");
        one->has_device = one->has_device || contend_open_variable(name, &one->device);
        if (!one->is_there)
            continue;
        describe(&one->algorithm, text);
        const int place = place_of(all[i].offer.name, text);
        numbers[i] = place > 0 ? place : 0;
    }
}

static const char *why_nothing(void)
{
    long long value = 0;
    if (library == NONE)
        return "this MPI library takes no algorithms while a program runs";
    if (!has_tools)
        return "MPI_T does not start";
    if (library == OF_MPICH)
        return NULL;
    const enum contend_control_state state = contend_look_at_control(DYNAMIC, &value);
    if (state == CONTEND_CONTROL_UNKNOWN)
        return "its component coll/tuned is not there";
    if (state == CONTEND_CONTROL_FIXED && value == 0)
        return "Open MPI is told of algorithms already, but not to use them";
    if (state == CONTEND_CONTROL_FIXED && has_text(RULES))
        return "a file of rules comes before all else in this Open MPI";
    return NULL;
}

void contend_find_offers(void)
{
    find_library();
    has_tools = has_tools || (library != NONE && begin_tools());
    const char *why = why_nothing();
    if (why != NULL) {
        library = NONE;
        contend_say_nothing_is_tried(why);
    } else if (library == OF_MPICH) {
        find_numbers();
    }
}

void contend_end_offers(void)
{
    for (int i = 0; i < CONTEND_OPERATIONS; i++) {
        if (forced[i].is_there)
            contend_close_variable(&forced[i].algorithm);
        if (forced[i].has_device)
            contend_close_variable(&forced[i].device);
        forced[i] = (struct forced){0};
    }
    if (has_tools)
        MPI_T_finalize();
    has_tools = false;
    library = NONE;
}

static bool serves(enum ranks ranks, int n)
{
    return ranks == ANY || (ranks == EVEN ? n % 2 == 0 : (n & (n - 1)) == 0);
}

int contend_offers_for(enum contend_operation operation, int ranks, int most,
                       const struct contend_offer **offers)
{
    int count = 0;
    for (int i = 0; i < ALL && count < most; i++)
        if (all[i].library == library && all[i].offer.operation == operation &&
            version >= all[i].since && serves(all[i].ranks, ranks) &&
            (library == OF_OPENMPI || numbers[i] > 0))
            offers[count++] = &all[i].offer;
    return count;
}

bool contend_offers_by_communicator(void) { return library == OF_OPENMPI; }

/* Sets what is known of the variables, or restores all that were set. */
static bool force(struct contend_control *controls, int count)
{
    bool is_forced = true;
    for (int i = 0; i < count; i++) {
        long long value;
        if (contend_look_at_control(controls[i].name, &value) == CONTEND_CONTROL_WRITABLE)
            is_forced = contend_set_control(&controls[i]) && is_forced;
    }
    return is_forced;
}

MPI_Comm contend_make_offering(MPI_Comm owner, int number)
{
    char names[CONTEND_OPERATIONS][2][NAME];
    struct contend_control controls[2 * CONTEND_OPERATIONS + 2] = {
        {.name = DYNAMIC, .value = 1}, {.name = "coll_han_priority", .value = 0}};
    int count = 2;
    for (int i = 0; i < ALL; i++) {
        const enum contend_operation operation = all[i].offer.operation;
        if (all[i].library != OF_OPENMPI || all[i].offer.number != number || version < all[i].since)
            continue;
        name_of_openmpi(names[operation][0], operation, "");
        name_of_openmpi(names[operation][1], operation, "_segmentsize");
        controls[count++] = (struct contend_control){.name = names[operation][0], .value = number};
        controls[count++] = (struct contend_control){
            .name = names[operation][1],
            .value = operation == CONTEND_ALLREDUCE ? RING_SEGMENT : SEGMENT};
    }
    const bool is_forced = force(controls, count);
    MPI_Comm made = MPI_COMM_NULL;
    const bool is_made = contend_make_private(owner, &made);
    for (int i = 0; i < count; i++)
        contend_restore_control(&controls[i]);
    if (is_made && !is_forced)
        contend_free_private(&made);
    return made;
}

void contend_take_offer(const struct contend_offer *offer)
{
    struct forced *one = &forced[offer->operation];
    int number = 0;
    for (int i = 0; i < ALL; i++)
        if (&all[i].offer == offer)
            number = numbers[i];
    contend_read_variable(&one->algorithm, &one->algorithm_before);
    contend_write_variable(&one->algorithm, number);
    if (one->has_device) {
        contend_read_variable(&one->device, &one->device_before);
        contend_write_variable(&one->device, 0);
    }
}

void contend_give_back_offer(const struct contend_offer *offer)
{
    const struct forced *one = &forced[offer->operation];
    contend_write_variable(&one->algorithm, one->algorithm_before);
    if (one->has_device)
        contend_write_variable(&one->device, one->device_before);
}
