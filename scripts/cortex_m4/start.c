/* How a Cortex-M4 begins: its table of vectors, and what comes before the C library's own beginning. */
extern void _start(void);
extern char stack_end[]; /* memory.ld */

static void reset(void) {
    /* The unit for floating-point numbers is off until it is given access. */
    *(volatile unsigned*)0xE000ED88u |= 0xFu << 20;
    __asm volatile("dsb\n\tisb");
    _start();
}

/* A fault: the emulator is stopped by its time limit. */
static void stop(void) {
    for (;;) {
    }
}

static const struct {
    char* stack;
    void (*handlers[6])(void);
} vectors __attribute__((section(".vectors"), used)) = {stack_end, {reset, stop, stop, stop, stop, stop}};
