#include "wipe.h"

/** Made by the linker: the lowest address of the stack. */
extern u8 __stack_low;

/** Without it, a memset whose result nobody reads again would be left out. */
static inline void keep_effects_on(void *at) {
    __asm__ volatile("" : : "r"(at) : "memory");
}

void wipe(void *at, size_t length) {
#ifndef KEYSTEAD_WITHOUT_WIPING
    __builtin_memset(at, 0, length);
#else
    (void)length;
#endif
    keep_effects_on(at);
}

__attribute__((noinline)) void wipe_stack(void) {
    u8 here[16];
    keep_effects_on(here);
    wipe(&__stack_low, (size_t)(here - &__stack_low));
}

int equal_bytes(const u8 *a, const u8 *b, size_t length) {
    u32 difference = 0;
    for (size_t i = 0; i < length; i++) difference |= (u32)(a[i] ^ b[i]);
    return (int)((difference - 1) >> 31);
}
