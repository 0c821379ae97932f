/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first page of the AppImage, which start.ld lays out: looks whether runtime.c's program, which follows it, is all
 * there, and becomes it as the kernel would have.  A kernel that starts a program whose file is cut off kills it without a
 * word; so what the kernel starts is this, and it says what is wrong.  No library, no data, x86-64 alone. */

#include <asm/unistd.h>
#include <elf.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <sys/stat.h>

#define STATUS 127
#define PAGE 4096UL

extern const char start_file[], start_runtime[], start_end[];

static long
call (long number, long a, long b, long c, long d, long e, long f)
{
  register long r10 asm ("r10") = d, r8 asm ("r8") = e, r9 asm ("r9") = f;
  long result;

  asm volatile ("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}

static void
say (const char *text, unsigned long length)
{
  call (__NR_write, 2, (long)text, length, 0, 0, 0);
}

/* "name" is that of the file, of "length" bytes; 0 where it is not known. */
static void __attribute__ ((noreturn))
die (const char *name, long length, const char *text)
{
  unsigned long n = 0;

  while (text[n] != '\0')
    n++;
  say ("tessera: ", 9);
  if (length > 0)
    say (name, length);
  say (text, n);
  for (;;)
    call (__NR_exit_group, STATUS, 0, 0, 0, 0, 0);
}

/* Maps one segment of the runtime.  Returns whether that went well. */
static int
load (long fd, const Elf64_Phdr *segment)
{
  unsigned long begin = segment->p_vaddr & -PAGE, shift = segment->p_vaddr - begin, filled = segment->p_vaddr + segment->p_filesz;
  unsigned long mapped = (filled + PAGE - 1) & -PAGE, end = (segment->p_vaddr + segment->p_memsz + PAGE - 1) & -PAGE;
  unsigned long offset = start_runtime - start_file + segment->p_offset - shift;
  long protection = (segment->p_flags & PF_R ? PROT_READ : 0) | (segment->p_flags & PF_W ? PROT_WRITE : 0) |
                    (segment->p_flags & PF_X ? PROT_EXEC : 0);

  if (mapped > begin && call (__NR_mmap, begin, mapped - begin, protection, MAP_PRIVATE | MAP_FIXED, fd, offset) != (long)begin)
    return 0;
  if (segment->p_memsz > segment->p_filesz)
    for (volatile char *at = (char *)filled; at < (char *)mapped; at++)
      *at = 0;
  return end <= mapped
         || call (__NR_mmap, mapped, end - mapped, protection, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) == (long)mapped;
}

/* "stack" is what the kernel gives to a program: words, variables, and numbers of the kernel's, of which those that tell of
 * the program become the runtime's.  Returns where that begins. */
unsigned long __attribute__ ((used))
start_prepare (long *stack)
{
  static const char itself[] = "/proc/self/exe";
  char name[4096], page[PAGE] __attribute__ ((aligned (16)));
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)page;
  const Elf64_Phdr *segments;
  struct stat st;
  long fd = call (__NR_open, (long)itself, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
  long length = call (__NR_readlink, (long)itself, (long)name, sizeof name, 0, 0, 0);
  unsigned long base = 0;
  Elf64_auxv_t *number;

  if (length <= 0)
    die (name, 0, "/proc is not mounted, without which this file does not find itself\n");
  if (fd < 0 || call (__NR_fstat, fd, (long)&st, 0, 0, 0, 0) != 0)
    die (name, length, " cannot be read by you, which it must be to unpack itself\n");
  if (st.st_size < start_end - start_file)
    die (name, length, " is incomplete: not even its head is all there; get the file again\n");
  if (call (__NR_pread64, fd, (long)page, sizeof page, start_runtime - start_file, 0, 0) != sizeof page)
    die (name, length, " cannot be read to its end; get the file again\n");
  segments = (const Elf64_Phdr *)(page + head->e_phoff);
  for (int i = 0; i < head->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD)
      {
        if (!load (fd, &segments[i]))
          die (name, length, " cannot be loaded: there is no memory for it\n");
        if (segments[i].p_offset == 0)
          base = segments[i].p_vaddr;
      }
  call (__NR_close, fd, 0, 0, 0, 0, 0);
  for (stack += *stack + 2; *stack != 0; stack++)
    ;
  for (number = (Elf64_auxv_t *)(stack + 1); number->a_type != AT_NULL; number++)
    switch (number->a_type)
      {
      case AT_PHDR:
        number->a_un.a_val = base + head->e_phoff;
        break;
      case AT_PHNUM:
        number->a_un.a_val = head->e_phnum;
        break;
      case AT_ENTRY:
        number->a_un.a_val = head->e_entry;
        break;
      }
  return head->e_entry;
}

/* What the kernel gives is at the top of the stack, and stays there. */
asm (".globl start_here\n"
     "start_here:\n"
     "  mov %rsp, %rbx\n"
     "  mov %rsp, %rdi\n"
     "  and $-16, %rsp\n"
     "  call start_prepare\n"
     "  mov %rbx, %rsp\n"
     "  xor %edx, %edx\n"
     "  jmp *%rax\n"
     ".section .runtime, \"a\"\n"
     ".incbin \"" RUNTIME "\"\n"
     ".previous\n");
