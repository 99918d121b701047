import { groupedFingerprint, TO_BE_TOLD } from '#shared/domain/fingerprint.ts';
import { nounCommand } from './noun-command.ts';

/** `fieldbench signing-key`. */
export const signingKey = nounCommand({
  flags: { pem: { type: 'boolean' } },
  help: '  --pem               the public key itself, and nothing else',
  example: 'signing-key',
  async run({ ask, values }) {
    const key = await ask('handover.key', {});
    if (values.pem) return { data: key, lines: key.public_key.trimEnd().split('\n') };
    return { data: key, lines: [groupedFingerprint(key.fingerprint), TO_BE_TOLD] };
  },
});
