/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stands for libicudata, which is 31 MB of what nothing in the AppImage reads: libxml2 needs ICU for encodings other
 * than UTF-8, UTF-16, ASCII and Latin 1, and reads drawings of icons only.  An ICU that finds no data says so, and
 * libxml2 goes on.  ICU_DATA is the symbol that libicuuc wants. */

#include <stdint.h>

const struct
{
  uint16_t header_size;
  uint8_t magic[2];
  struct
  {
    uint16_t size, reserved;
    uint8_t is_big_endian, charset, size_of_char, reserved2;
    uint8_t format[4], format_version[4], data_version[4];
  } info;
  uint8_t padding[8];
  uint32_t entries;
} ICU_DATA __attribute__ ((aligned (16)))
= { 32, { 0xda, 0x27 }, { 20, 0, 0, 0, 2, 0, "CmnD", { 1, 0, 0, 0 }, { 0, 0, 0, 0 } }, { 0 }, 0 };
