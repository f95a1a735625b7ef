/* console.c — output by the parallel port, which bochs writes to a file, and the port that switches it off. */
#include "loader.h"

enum { DATA = 0x378, CONTROL = 0x37a, SELECTED = 0x0c, STROBE = 0x0d, POWER = 0x8900 };

static void out(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static void put_byte(char byte)
{
    out(DATA, (uint8_t)byte);
    out(CONTROL, STROBE);
    out(CONTROL, SELECTED);
}

void put_bytes(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_byte(text[i]);
}

void put(const char *text)
{
    for (; *text; text++)
        put_byte(*text);
}

void put_number(uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    put_bytes(digits + at, sizeof digits - at);
}

void put_hex(uint64_t number)
{
    char digits[16];
    size_t at = sizeof digits;
    do
        digits[--at] = "0123456789abcdef"[number & 15];
    while (number >>= 4);
    put("0x");
    put_bytes(digits + at, sizeof digits - at);
}

_Noreturn void end(int status)
{
    put("\nloader: exit status ");
    put_number((uint64_t)status);
    put("\n");
    for (const char *word = "Shutdown"; *word; word++)
        out(POWER, (uint8_t)*word);
    for (;;)
        __asm__ volatile("hlt");
}

void *memcpy(void *to, const void *from, size_t n)
{
    void *result = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    return result;
}

void *memset(void *to, int value, size_t n)
{
    void *result = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(value) : "memory");
    return result;
}
