/** Where the page is that stands in the window until the service has started. */
export const STARTING_PATH = 'starting';

/**
 * Starting page, HTML without a script. Most starts are over before its words appear; the advice comes where one takes
 * seconds, in a recovery or while the system waits for the user's password.
 */
export function startingPage({ isKeychain }: { readonly isKeychain: boolean }): string {
  const advice = isKeychain
    ? 'Your system may be asking for the password of your keychain: look for its window, perhaps behind this one. ' +
      'Without a keychain, set FIELDBENCH_PASSPHRASE and start Fieldbench with “--vault file”.'
    : 'After a power cut or a crash it first reads what was stored last.';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Fieldbench</title>
    <style>
      :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
      body { margin: 0; height: 100vh; display: grid; place-content: center; text-align: center;
        background: light-dark(#f5f7f8, #17191c); color: light-dark(#343a40, #ced4da); }
      p { margin: 0.5rem auto; max-width: 34rem; opacity: 0; animation: appear 0.2s 0.5s forwards; }
      p.advice { animation-delay: 4s; }
      @keyframes appear { to { opacity: 1; } }
    </style>
  </head>
  <body>
    <main role="status">
      <p>Fieldbench is starting…</p>
      <p class="advice">${advice}</p>
    </main>
  </body>
</html>
`;
}
