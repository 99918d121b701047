import { nounCommand } from './noun-command.ts';

/** `fieldbench openapi`. */
export const openapi = nounCommand({
  flags: {},
  help: '',
  example: 'openapi > fieldbench.json',
  async run({ ask }) {
    const document = await ask('openapi.get', {});
    return { data: document, lines: JSON.stringify(document, null, 2).split('\n') };
  },
});
