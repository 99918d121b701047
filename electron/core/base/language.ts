/** The first Node that has all of what core/base/older-node.ts brings. */
const COMPLETE = 24;

/** Makes the language whole on an older Node. To be awaited before any of the service runs. */
export async function completeLanguage(): Promise<void> {
  if (Number.parseInt(process.versions.node, 10) < COMPLETE || typeof AsyncDisposableStack === 'undefined')
    await import('./older-node.ts');
}
