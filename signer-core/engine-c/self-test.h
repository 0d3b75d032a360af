#ifndef KEYSTEAD_SELF_TEST_H
#define KEYSTEAD_SELF_TEST_H

/** Compares every primitive with a known answer, once per instance. Traps on a difference, so the signer does not start. */
void self_test(void);

#endif
