import { signingKeyOf } from '../../../handover/signing-key.ts';
import type { HandlersOf } from '../../context.ts';
import { handOver } from '../../handover/hand-over.ts';

export const handoverHandlers: HandlersOf<'handover'> = {
  'handover.get': (call, context) => handOver(call, context),

  async 'handover.key'(_call, { vault }) {
    const { fingerprint, pem } = await signingKeyOf(vault);
    return { data: { fingerprint, public_key: pem } };
  },
};
