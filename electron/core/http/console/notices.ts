/** Pages for a browser that may not open the console (yet). */
export const SIGNED_OUT_PAGE = page(
  'This link no longer opens Fieldbench',
  `<p>Each link to the console works once and within ten minutes, and this browser has not been let in by one.</p>
  <p>For a fresh one, run <code>fieldbench open</code> where the service runs, or <code>npm start</code> in the folder of
  Fieldbench (with the same <code>--data</code>, if there was one): the service goes on, and its app opens in the
  browser.</p>`,
);

export const NOT_FOUND_PAGE = page(
  'There is nothing here',
  '<p><a href="/console/">Go to Fieldbench</a></p>',
);

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem }
  h1 { font-size: 1.5rem; line-height: 1.3 }
  code { font-size: .95em; padding: .1em .35em; border-radius: 4px; white-space: nowrap; background: color-mix(in srgb, currentColor 10%, transparent) }
</style>
<h1>${title}</h1>
${body}
</html>
`;
}
