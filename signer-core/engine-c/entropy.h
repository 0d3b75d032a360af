#ifndef KEYSTEAD_ENTROPY_H
#define KEYSTEAD_ENTROPY_H

#include "bytes.h"

/** Fills `out` from the operating system's generator, and leaves no second copy. */
void draw(u8 *out, size_t length);

#endif
