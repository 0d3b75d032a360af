#include "abi.h"
#include "arena.h"
#include "wipe.h"

static list_result returned_lists;
static small_result returned_small;

/** WIT numbers the faults from 0, as `status` does after OK. */
static u8 fault_of(status answer) {
    return (u8)(answer - 1);
}

const list_result *return_list(status answer, bytes list) {
    return return_lists(answer, list, NO_BYTES);
}

const list_result *return_lists(status answer, bytes first, bytes second) {
    memset(&returned_lists, 0, sizeof returned_lists);
    returned_lists.is_error = answer != OK;
    if (answer != OK) returned_lists.fault = fault_of(answer);
    else {
        returned_lists.lists.first = first;
        returned_lists.lists.second = second;
    }
    return &returned_lists;
}

const small_result *return_bool(status answer, int value) {
    returned_small.is_error = answer != OK;
    returned_small.value = answer != OK ? fault_of(answer) : (u8)value;
    return &returned_small;
}

const small_result *return_nothing(int fault) {
    returned_small.is_error = fault >= 0;
    returned_small.value = fault >= 0 ? (u8)fault : 0;
    return &returned_small;
}

u32 lift_enum(u32 number, u32 cases) {
    if (number >= cases) trap();
    return number;
}

void abi_clean(void) {
    arena_release();
    wipe_stack();
}
