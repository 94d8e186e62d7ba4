/* picture_clean.c -- what of an SVG file may be shown.
 *
 * Lists of what is allowed, and nothing else passes: shapes, text, gradients, patterns, markers, masks and filters; attributes that are no handlers and hold no
 * addresses but `#id` of the same file; images only as data within the file.  In styles only known functions may be called, so that there is no way to name a file that
 * has not been thought of (url(), image-set(), src(), @import, escapes). */
#include "report/picture.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static int listed(const char *name, const char *const *list) {
  for (; *list; list++)
    if (strcmp(*list, name) == 0) return 1;
  return 0;
}

enum picture_verdict picture_element(const char *name, const char **why) {
  static const char *const shapes[] = {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath", "defs", "linearGradient", "radialGradient", "stop",
                                       "clipPath", "mask", "pattern", "marker", "symbol", "use", "title", "desc", "style", "image", "filter", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
                                       "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feMerge", "feMergeNode", "feMorphology", "feOffset", NULL};
  static const char *const editors[] = {"metadata", "namedview", "perspective", "grid", "guide", NULL};
  *why = NULL;
  if (listed(name, shapes)) return PICTURE_KEEP;
  if (strchr(name, ':') || listed(name, editors)) return PICTURE_DROP_SILENTLY; /* what drawing programs keep for themselves */
  if (strcasecmp(name, "script") == 0) *why = "a picture may not run anything";
  else if (strcasecmp(name, "foreignObject") == 0) *why = "only drawings are shown";
  else if (strncasecmp(name, "animate", 7) == 0 || strcasecmp(name, "set") == 0) *why = "the model moves the picture, nothing else does";
  else if (strcmp(name, "a") == 0) *why = "a picture has no links";
  else *why = "it is none of the elements that are shown";
  return PICTURE_DROP;
}

/* ---- styles ---------------------------------------------------------------------------------------------------------------------------- */

static int known_function(const char *name, size_t length) {
  static const char *const known[] = {"rgb", "rgba", "hsl", "hsla", "translate", "translateX", "translateY", "rotate", "scale", "scaleX", "scaleY", "skewX", "skewY", "matrix", "calc", "cubic-bezier", "steps", "not", "nth-child", NULL};
  for (const char *const *k = known; *k; k++)
    if (strlen(*k) == length && strncasecmp(*k, name, length) == 0) return 1;
  return length == 0; /* a bracket of calc, or a list of media */
}

int picture_style(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '\\' || c == '<' || c == 0) return 0;
    if (c == '@' && !(length - i > 6 && strncasecmp(text + i, "@media", 6) == 0) && !(length - i > 10 && strncasecmp(text + i, "@keyframes", 10) == 0)) return 0;
    if (c != '(') continue;
    size_t from = i;
    while (from && (isalnum((unsigned char)text[from - 1]) || text[from - 1] == '-' || text[from - 1] == '_')) from--;
    if (i - from == 3 && strncasecmp(text + from, "url", 3) == 0) {
      size_t next = i + 1;
      while (next < length && (isspace((unsigned char)text[next]) || text[next] == '"' || text[next] == '\'')) next++;
      if (next >= length || text[next] != '#') return 0;
    } else if (!known_function(text + from, i - from)) return 0;
  }
  return 1;
}

/* ---- attributes ---------------------------------------------------------------------------------------------------------------------------- */

static int inner_image(const char *value) {
  static const char *const kinds[] = {"data:image/png;base64,", "data:image/jpeg;base64,", "data:image/gif;base64,", "data:image/webp;base64,"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(value, kinds[i], strlen(kinds[i])) == 0) return 1;
  return 0;
}

int picture_attribute(const char *element, const char *name, const char *value, const char **why) {
  *why = NULL;
  if (strncasecmp(name, "on", 2) == 0) {
    *why = "a picture may not run anything";
    return 0;
  }
  /* Names in other cases too: XML tells hrEf from href, a page of HTML that somebody puts the drawing into does not. */
  if (strcasecmp(name, "href") == 0 || strcasecmp(name, "xlink:href") == 0) {
    if (value[0] == '#' || (strcmp(element, "image") == 0 && inner_image(value))) return 1;
    *why = "a picture may not load anything from elsewhere";
    return 0;
  }
  if (strcmp(name, "xml:space") == 0) return 1;
  if (strchr(name, ':') || strncasecmp(name, "xmlns", 5) == 0 || strncasecmp(name, "data-", 5) == 0 || strcasecmp(name, "src") == 0 || strcasecmp(name, "srcset") == 0) return 0;
  if (strcmp(name, "id") == 0 || strcmp(name, "class") == 0 || strcmp(name, "d") == 0 || strcmp(name, "points") == 0) return 1;
  if (picture_style(value, strlen(value))) return 1;
  *why = "what it says could load something";
  return 0;
}
