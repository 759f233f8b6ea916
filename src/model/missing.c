// Stands in for a library of libtorch that is gone: the program then ends with one line that says what to do, and not
// with the loader's "error while loading shared libraries".
//
// build.rs puts it under the libraries' names into the last folder of the program's runpath, so the loader takes it only
// where the real one is in none of the others. A constructor would run too late: before it the loader looks for the
// symbols that the program needs, and misses them. A function that is chosen while the library is loaded (an "ifunc") is
// chosen before that, since libraries are relocated before the program. No other library may be relied on at that point,
// so the system is called without libc: for x86-64 alone, as is all that the project promises.

enum { WRITE = 1, EXIT_GROUP = 231, STANDARD_ERROR = 2, MISTAKE_OF_THE_USER = 2 };

static long call(long number, long first, const void *second, long third) {
    long answer;
    __asm__ volatile("syscall"
                     : "=a"(answer)
                     : "a"(number), "D"(first), "S"(second), "d"(third)
                     : "rcx", "r11", "memory");
    return answer;
}

typedef void function(void);

static function *choose(void) {
    static const char message[] = MESSAGE;
    call(WRITE, STANDARD_ERROR, message, sizeof message - 1);
    call(EXIT_GROUP, MISTAKE_OF_THE_USER, 0, 0);
    __builtin_unreachable();
}

static function chosen __attribute__((ifunc("choose")));

// What has the loader ask for the choice.
function *const maydan_missing = chosen;
