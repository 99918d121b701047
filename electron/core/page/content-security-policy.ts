/**
 * Returns the Content Security Policy (level 3) of the app's page, wherever it is served from: run its own scripts, talk to
 * its own origin, and to `socket` where that is not the same. Mantine and uPlot set styles on elements, hence
 * 'unsafe-inline' for styles alone.
 */
export function appPolicy(socket = ''): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${socket}`.trimEnd(),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
