# shellcheck shell=sh
# Builds libcoffer and tests it.
#
# ./dev library
#     build libcoffer and test it from C and C++, under valgrind and the sanitizers
# ./dev python
#     test the package for Python, with the tests of keyring for its backends

. Scripts/build.sh

# The modules of libcoffer.
library_modules='CofferBasics KeyedArchive VaultCrypto VaultFiles VaultFormat VaultStore Coffer CofferLibrary'

# Links libcoffer, as a shared and as a static library that contain the runtime of Swift and need only that of C.
build_library() {
    library="$PWD/$scratch/library"
    mkdir -p "$library/include" "$library/pkgconfig"
    static_build --target CofferLibrary
    collect_libraries "$library/archives"
    ln -sfn "$(clang -print-file-name=libstdc++.a)" "$library/archives/libstdc++.a"
    cp -f Sources/Library/CCoffer/coffer.h Sources/Library/CCoffer/coffer.hpp "$library/include"
    runtime="$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')_static/linux"
    objects="$runtime/$(uname -m)/swiftrt.o"
    for module in $library_modules; do
        # Not all that are there, since the objects of files that were renamed stay.
        objects="$objects $(sed "s|'||g; s|.*/\(.*\)|$static/$module.build/\1.o|" "$static/$module.build/sources")"
    done
    parts='-lswiftCore -lswift_Concurrency -lswiftSynchronization -lswiftGlibc -ldispatch -lBlocksRuntime -lstdc++ -lsodium -lz'
    printf 'COFFER_1 {\n  global: coffer_*;\n  local: *;\n};\n' >"$library/exports"
    # Once loaded it stays: the runtime of Swift cannot be unloaded.
    # shellcheck disable=SC2086
    clang -shared -fuse-ld=lld -static-libgcc $objects -o "$library/libcoffer.so.1" -L "$library/archives" -L "$runtime" \
        -Wl,-soname,libcoffer.so.1 -Wl,--version-script="$library/exports" \
        -Wl,-z,defs,-z,nodelete,-z,now,-Bsymbolic,--gc-sections,-O2,--icf=all,--build-id=none \
        -Wl,-T,Scripts/release.ld $parts -lm -lpthread -ldl
    strip --strip-unneeded $reproducibly "$library/libcoffer.so.1"
    ln -sfn libcoffer.so.1 "$library/libcoffer.so"
    library_functions >"$library/functions"
    # One object in which only the functions of the interface are visible, so that nothing else can clash.
    # shellcheck disable=SC2046,SC2086
    ld.bfd -r --force-group-allocation --gc-sections -e coffer_version $(library_functions | sed 's/^/-u /') \
        -o "$library/coffer.o" $objects -L "$library/archives" -L "$runtime" --start-group $parts --end-group
    objcopy --wildcard --keep-global-symbol='coffer_*' "$library/coffer.o"
    strip --strip-unneeded $reproducibly "$library/coffer.o"
    rm -f "$library/libcoffer.a"
    ar rcsD "$library/libcoffer.a" "$library/coffer.o"
    rm "$library/coffer.o"
    cat >"$library/pkgconfig/coffer.pc" <<PC
prefix=\${pcfiledir}/..
libdir=\${prefix}
includedir=\${prefix}/include

Name: coffer
Description: keychains in encrypted vault files
Version: $(coffer_version)
Cflags: -I\${includedir}
Libs: -L\${libdir} -lcoffer
Libs.private: -lm -lpthread -ldl
PC
}

coffer_version() { sed -n 's/.*static let text = "\(.*\)"/\1/p' Sources/Keychain/Coffer/Version.swift; }

# The functions that the header declares.
library_functions() {
    sed -n 's/^[a-z_0-9 ]*[ *]\(coffer_[a-z_0-9]*\)(.*/\1/p' Sources/Library/CCoffer/coffer.h |
        grep -vx 'coffer_\(string\|text\|data\|integer\|flag\|date\)' | sort
}

# Builds and tests libcoffer.
library() {
    require gcc g++ valgrind
    build_library
    check_library
    test_library
}

# It exports the functions of the header and nothing else, and needs only the C library.
check_library() {
    nm -D --defined-only "$library/libcoffer.so.1" | sed -n 's/.* [^ ]* \(.*\)@@COFFER_1$/\1/p' | sort |
        diff - "$library/functions" >&2 ||
        fail 'libcoffer.so.1 does not export exactly the functions of coffer.h'
    nm -g --defined-only "$library/libcoffer.a" 2>/dev/null | sed -n 's/.* [TDBR] //p' | sort | diff - "$library/functions" >&2 ||
        fail 'libcoffer.a does not export exactly the functions of coffer.h'
    needed=$(readelf -d "$library/libcoffer.so.1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld-linux' | sort | paste -sd ' ')
    [ "$needed" = 'libc.so.6 libm.so.6' ] || fail "libcoffer.so.1 needs $needed"
    while IFS= read -r name; do
        grep -q "$name(" Tests/Library/C/*.c || fail "no test in C calls $name"
    done <"$library/functions"
}

# Runs a program of C against the library, in a home directory of its own.
in_library_home() { (cd "$home" && env -i HOME="$home" PATH="$PATH" LD_LIBRARY_PATH="$library" COFFER_QUIET=1 "$@"); }

test_library() {
    home=$(temporary)
    strict='-Wall -Wextra -Werror -pedantic -g -I Sources/Library/CCoffer'
    sanitized='-fsanitize=address,undefined'
    linked="-L $library -lcoffer -lpthread -ldl"
    # shellcheck disable=SC2086
    {
        gcc -std=c11 $strict Tests/Library/C/tests.c -o "$home/tests" $linked
        clang -std=c11 $strict Tests/Library/C/tests.c -o "$home/tests-clang" $linked
        gcc -std=c11 $strict Tests/Library/C/tests.c -o "$home/tests-static" "$library/libcoffer.a" -lm -lpthread -ldl
        gcc -std=c11 $strict $sanitized Tests/Library/C/tests.c -o "$home/tests-sanitized" $linked
        gcc -std=c11 $strict Tests/Library/C/copies.c -o "$home/copies" -ldl
        gcc -std=c11 $strict Tests/Library/C/loop.c -o "$home/loop" $linked
        gcc -std=c99 $strict Sources/Examples/C/tour.c -o "$home/tour-c" $linked
        gcc -std=c11 $strict $sanitized Sources/Examples/C/tour.c -o "$home/tour-c-sanitized" $linked
        g++ -std=c++17 $strict Sources/Examples/C/tour.cpp -o "$home/tour-cpp" $linked
        clang++ -std=c++20 $strict $sanitized Sources/Examples/C/tour.cpp -o "$home/tour-cpp-sanitized" $linked
        g++ -std=c++17 $strict $sanitized Tests/Library/C/tests.cpp -o "$home/tests-cpp" $linked
    }
    # One of them with an allocator that checks and overwrites what is freed. Like that of the sanitizers, it does not
    # survive a fork beside other threads.
    forking=a_forked_child_is_told_to_open_the_vault_again
    for tests in ./tests ./tests-static \
        "env LD_PRELOAD=libc_malloc_debug.so.0 MALLOC_CHECK_=3 MALLOC_PERTURB_=165 ./tests-clang $forking not"; do
        # shellcheck disable=SC2086
        in_library_home $tests 2>"$home/log" || fail "$(cat "$home/log")"
    done
    # It takes the pointers that Swift keeps in enumerations, with a tag, for lost ones, so leaks are found by valgrind,
    # and by the loop.
    options='ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1'
    in_library_home env $options ./tests-sanitized $forking not 2>"$home/log" || fail "$(cat "$home/log")"
    in_library_home env $options ./tests-cpp 2>"$home/log" || fail "$(cat "$home/log")"
    # Optimized code compares values that may be undefined, where the result does not matter.
    leaks='valgrind -q --undef-value-errors=no --leak-check=full --errors-for-leak-kinds=definite,indirect
        --show-possibly-lost=no --error-exitcode=9'
    for test in an_item_comes_back_with_its_attributes_and_secret errors_carry_a_kind_and_the_number_of_apple \
        a_transaction_is_kept_or_abandoned_as_a_whole history_shows_restores_and_undoes \
        copies_are_merged_and_a_merge_is_undone a_watch_notices_changes; do
        in_library_home $leaks ./tests $test >"$home/log" 2>&1 || fail "$(cat "$home/log")"
    done
    for tour in tour-c tour-cpp tour-c-sanitized tour-cpp-sanitized; do
        expected="Tests/Library/C/${tour%-sanitized}.txt"
        in_library_home env $options ./$tour "$home/$tour.coffer" 2>/dev/null | diff - "$expected" ||
            fail "the output of $tour differs from $expected"
    done
    for tour in tour-c tour-cpp; do
        in_library_home $leaks ./$tour "$home/$tour-again.coffer" >"$home/log" 2>&1 || fail "$(cat "$home/log")"
    done
    cp "$library/libcoffer.so.1" "$home/other.so"
    in_library_home ./copies "$home/copies.coffer" "$library/libcoffer.so.1" "$home/other.so"
    in_library_home ./loop "$home/loop.coffer" 100000
}

library_in_all_languages() {
    library
    test_python
}

# Tests the package for Python, with the tests of keyring for its backends.
python() {
    require gcc python3 venv
    build_library
    test_python
}

test_python() {
    virtual="$PWD/$scratch/python"
    [ -x "$virtual/bin/mypy" ] || {
        python3 -m venv "$virtual"
        "$virtual/bin/pip" install --quiet keyring pytest mypy >&2
    }
    "$virtual/bin/pip" install --quiet --force-reinstall --no-deps \
        "$(python3 Sources/Library/Python/wheel.py "$library/libcoffer.so.1" "$library")" >&2
    (cd Sources/Library/Python && "$virtual/bin/mypy" --strict coffer)
    "$virtual/bin/python" -m unittest Sources/Library/Python/tests/test_coffer.py
    "$virtual/bin/python" -m pytest -q -p no:cacheprovider Sources/Library/Python/tests/test_keyring.py
}
