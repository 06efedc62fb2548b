#!/usr/bin/env bash
# Builds the fuzz targets as OSS-Fuzz wants them: in $OUT each fuzz_NAME with its seed corpus, dictionary and options.
# Runs in the root of the project. OSS-Fuzz sets CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT;
# fuzz/run-targets and fuzz/oss-fuzz/test do so too, by way of fuzz/oss-fuzz/environment.
set -euo pipefail

# The simdjson of the system is a shared object for libstdc++, and $OUT goes elsewhere; its source is one file.
if [ -d "$SRC/simdjson" ]; then
  library=$WORK/simdjson
  mkdir -p "$library"
  # shellcheck disable=SC2086  # flags are words
  $CXX $CXXFLAGS -std=c++17 -c "$SRC/simdjson/singleheader/simdjson.cpp" -o "$library/simdjson.o"
  rm -f "$library/libsimdjson.a"
  ar rcs "$library/libsimdjson.a" "$library/simdjson.o"
  cat > "$library/simdjson.pc" << PC
Name: simdjson
Description: of $SRC/simdjson
Version: 3
Cflags: -I$SRC/simdjson/singleheader
Libs: $library/libsimdjson.a
PC
  export PKG_CONFIG_PATH=$library${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
fi

# Meson reads flags when it sets a directory up, so other flags need another; so does another engine of the same name.
build=$WORK/meson
flags="$CXX $CXXFLAGS $LIB_FUZZING_ENGINE $(cksum "$LIB_FUZZING_ENGINE" 2> /dev/null || true)"
[ "$(cat "$build/flags" 2> /dev/null)" = "$flags" ] || rm -rf "$build"
if [ ! -d "$build" ]; then
  meson setup "$build" --buildtype=plain -Ddefault_library=static -Dprefer_static=true -Db_lundef=false -Dwerror=false \
    -Dtests=false -Dfuzzers=true -Dfuzzing_engine="$LIB_FUZZING_ENGINE" > "$WORK/setup.txt" || { cat "$WORK/setup.txt"; exit 1; }
  echo "$flags" > "$build/flags"
fi
ninja -C "$build" --quiet fuzzers

mkdir -p "$OUT"
while read -r name _ dictionary fuzzed; do
  if [ "${name:0:1}" = "#" ] || [ "$fuzzed" = no ]; then continue; fi
  file=fuzz_$name
  cp "$build/fuzz/targets/$file" "$OUT/$file"
  cp fuzz/oss-fuzz/options "$OUT/$file.options"
  if [ "$dictionary" != - ]; then cp "fuzz/dictionaries/$dictionary.dict" "$OUT/$file.dict"; fi
  rm -f "$OUT/${file}_seed_corpus.zip"
  # A target has no corpus before fuzz/run-targets --merge.
  if [ -f "fuzz/corpus/$name.zip" ]; then cp "fuzz/corpus/$name.zip" "$OUT/${file}_seed_corpus.zip"; fi
done < fuzz/targets/targets.txt
