import { badRequest, forbidden, notFound } from '../../../base/errors.ts';
import type { HandlersOf } from '../../context.ts';

export const uploadHandlers: HandlersOf<'uploads'> = {
  'uploads.list': ({ principal }, { uploads }) => ({ data: [...uploads.list(principal.account_id)] }),

  async 'uploads.create'({ input, body, principal, signal }, { uploads, files }) {
    if (!body) throw badRequest('body is required: send the file as text/csv or application/x-ndjson');
    const asker = signal ?? new AbortController().signal;
    const { parts, givenUp } = files.take(body.bytes, principal.key_id, asker);
    const file = { ...body, bytes: parts };
    return { data: await uploads.add(principal.account_id, file, input, AbortSignal.any([asker, givenUp])) };
  },

  'uploads.delete'({ input: { upload_id }, principal }, { uploads }) {
    const owner = uploads.ownerOf(upload_id);
    if (owner === null) throw notFound('Upload');
    if (owner !== principal.account_id)
      throw forbidden('This API key has no access to the uploads of another account.');
    uploads.remove(upload_id);
    return { data: { id: upload_id } };
  },
};
