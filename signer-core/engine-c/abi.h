/**
 * The canonical ABI by hand: how the functions of engine.wit look as core functions. Arguments arrive flat; a result lies
 * in memory, laid out as its WIT type, until the function's `cabi_post_` is called.
 */
#ifndef KEYSTEAD_ABI_H
#define KEYSTEAD_ABI_H

#include "bytes.h"

#define EXPORT(interface, name) __attribute__((export_name("keystead:engine/" interface "@0.1.0#" name)))
#define EXPORT_AFTER(interface, name) \
    __attribute__((export_name("cabi_post_keystead:engine/" interface "@0.1.0#" name)))

/** Every call ends with this: nothing that it worked on stays in memory. */
void abi_clean(void);

/** `result<list<u8>, fault>` and `result<record { list<u8>, list<u8> }, fault>`. */
typedef struct {
    u32 is_error;
    union {
        u8 fault;
        bytes list;
        struct {
            bytes first;
            bytes second;
        } lists;
    };
} list_result;

/** `result<bool, fault>` and `result<_, load-fault>`: a byte each. */
typedef struct {
    u8 is_error;
    u8 value;
} small_result;

const list_result *return_list(status answer, bytes list);
const list_result *return_lists(status answer, bytes first, bytes second);
const small_result *return_bool(status answer, int value);
/** @param fault Number of the case in the WIT enum, or -1 for none. */
const small_result *return_nothing(int fault);

/** An enum of `cases` cases. Traps on any other number. */
u32 lift_enum(u32 number, u32 cases);

#endif
