/* control.c — does on purpose what the emulator must not let pass, or must serve; its argument says what.
 *
 * over-read, unmapped and read-only print an address and touch it, which must end the run with SIGSEGV there. `handled`
 * catches SIGSEGV and SIGILL by itself and must end well. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static volatile uint8_t sink;
static sigjmp_buf escape;
static void *volatile address;

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    address = info->si_addr;
    siglongjmp(escape, number);
}

/* Two pages to use and behind them one that nobody may touch; the address of the last. */
static uint8_t *guarded(void)
{
    uint8_t *map = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map + 2 * PAGE, PAGE, PROT_NONE))
        return NULL;
    memset(map, 1, 2 * PAGE);
    return map + 2 * PAGE;
}

static void about_to(const volatile void *at)
{
    printf("control %p\n", (void *)(uintptr_t)at);
    fflush(stdout);
}

static int handled(uint8_t *guard)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGILL, &action, NULL);
    for (int i = 0; i < 3; i++) {
        if (!sigsetjmp(escape, 0)) {
            sink = guard[i];
            return 1;
        }
        if (address != guard + i)
            return 2;
        if (!sigsetjmp(escape, 0)) {
            __asm__ volatile("ud2");
            return 3;
        }
    }
    /* What was taken away and given back holds what it held. */
    if (mprotect(guard - PAGE, PAGE, PROT_NONE) || mprotect(guard - PAGE, PAGE, PROT_READ) || guard[-1] != 1)
        return 4;
    return 0;
}

int main(int argc, char **argv)
{
    uint8_t *guard = guarded();
    if (argc != 2 || !guard)
        return 100;
    sink = guard[-1];
    if (!strcmp(argv[1], "over-read")) {
        about_to(guard);
        sink = guard[0];
    } else if (!strcmp(argv[1], "unmapped")) {
        munmap(guard - PAGE, PAGE);
        about_to(guard - 1);
        sink = guard[-1];
    } else if (!strcmp(argv[1], "read-only")) {
        mprotect(guard - PAGE, PAGE, PROT_READ);
        sink = guard[-1];
        about_to(guard - 1);
        guard[-1] = 2;
    } else if (!strcmp(argv[1], "handled")) {
        return handled(guard);
    }
    return 101;
}
