/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keys and mouse by the server's XTEST extension. */

#include "config.h"

#include "real-input.h"

#include "tsr-ui-test.h"

#include <dlfcn.h>
#include <gdk/x11/gdkx.h>

/* libXtst has no package of its own for builds here; it brings libX11. */
static struct
{
  Display *display;
  int (*key) (Display *, unsigned int code, Bool down, unsigned long delay);
  int (*button) (Display *, unsigned int button, Bool down, unsigned long delay);
  int (*motion) (Display *, int screen, int x, int y, unsigned long delay);
  int (*sync) (Display *, Bool discard);
  int (*set_focus) (Display *, Window, int revert_to, Time);
  KeyCode (*to_code) (Display *, KeySym);
  KeySym (*to_symbol) (Display *, unsigned int code, int group, int level);
} x;

gboolean
real_input_init (void)
{
  void *library = dlopen ("libXtst.so.6", RTLD_NOW);

  if (library == NULL || !GDK_IS_X11_DISPLAY (gdk_display_get_default ()))
    return FALSE;
  x.display = gdk_x11_display_get_xdisplay (gdk_display_get_default ());
  *(void **)&x.key = dlsym (library, "XTestFakeKeyEvent");
  *(void **)&x.button = dlsym (library, "XTestFakeButtonEvent");
  *(void **)&x.motion = dlsym (library, "XTestFakeMotionEvent");
  *(void **)&x.sync = dlsym (library, "XSync");
  *(void **)&x.set_focus = dlsym (library, "XSetInputFocus");
  *(void **)&x.to_code = dlsym (library, "XKeysymToKeycode");
  *(void **)&x.to_symbol = dlsym (library, "XkbKeycodeToKeysym");
  return x.key != NULL && x.button != NULL && x.motion != NULL && x.sync != NULL
         && x.set_focus != NULL && x.to_code != NULL && x.to_symbol != NULL;
}

static GtkWidget *keyboard; /* the window that has it */

/* What the server did has come, and was handled: GTK hands motion and wheel on with a frame. */
static void
settle (void)
{
  x.sync (x.display, False);
  tsr_ui_test_run (10);
  if (keyboard != NULL)
    tsr_ui_test_draw (keyboard);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
real_input_focus (GtkWindow *window)
{
  x.set_focus (x.display, gdk_x11_surface_get_xid (gtk_native_get_surface (GTK_NATIVE (window))),
               RevertToParent, CurrentTime);
  g_set_weak_pointer (&keyboard, GTK_WIDGET (window));
  settle ();
  tsr_ui_test_wait (gtk_window_is_active (window));
}

static void
hold (GdkModifierType state, Bool down)
{
  static const struct
  {
    GdkModifierType modifier;
    guint key;
  } keys[] = { { GDK_CONTROL_MASK, GDK_KEY_Control_L },
               { GDK_SHIFT_MASK, GDK_KEY_Shift_L },
               { GDK_ALT_MASK, GDK_KEY_Alt_L } };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (state & keys[i].modifier)
      x.key (x.display, x.to_code (x.display, keys[i].key), down, CurrentTime);
}

void
real_input_key (const char *accelerator)
{
  GdkModifierType state;
  KeyCode code;
  guint key;

  g_assert_true (gtk_accelerator_parse (accelerator, &key, &state));
  code = x.to_code (x.display, key);
  g_assert_cmpuint (code, !=, 0);
  if (x.to_symbol (x.display, code, 0, 0) != key)
    state |= GDK_SHIFT_MASK;
  hold (state, True);
  x.key (x.display, code, True, CurrentTime);
  x.key (x.display, code, False, CurrentTime);
  hold (state, False);
  settle ();
}

void
real_input_move (GtkWidget *widget, double at_x, double at_y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  double dx, dy, sx, sy;

  g_assert_true (
      gtk_widget_translate_coordinates (widget, GTK_WIDGET (native), at_x, at_y, &dx, &dy));
  gtk_native_get_surface_transform (native, &sx, &sy);
  x.motion (x.display, -1, (int)(dx + sx), (int)(dy + sy), CurrentTime);
  settle ();
}

void
real_input_click (guint button, guint times, GdkModifierType held)
{
  hold (held, True);
  for (guint i = 0; i < times; i++)
    {
      x.button (x.display, button, True, CurrentTime);
      x.button (x.display, button, False, CurrentTime);
    }
  hold (held, False);
  settle ();
}

void
real_input_drag (GtkWidget *widget, double at_x, double at_y, GdkModifierType held)
{
  hold (held, True);
  x.button (x.display, 1, True, CurrentTime);
  settle ();
  real_input_move (widget, at_x, at_y);
  x.button (x.display, 1, False, CurrentTime);
  hold (held, False);
  settle ();
}
