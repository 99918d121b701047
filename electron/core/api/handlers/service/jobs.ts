import { badRequest, Refusal } from '../../../base/errors.ts';
import type { HandlersOf } from '../../context.ts';
import { maySeeJob } from '../../may-see.ts';

export const jobHandlers: HandlersOf<'jobs'> = {
  'jobs.list': async ({ principal }, { jobs }) => ({
    data: (await jobs.running()).filter((job) => maySeeJob(principal, job)),
  }),

  async 'jobs.cancel'({ input: { id }, principal }, { jobs }) {
    const job = (await jobs.running()).find((running) => running.id === id);
    if (!job || !maySeeJob(principal, job)) return { data: { cancelled: false } };
    if (!job.cancellable)
      throw badRequest('This job cannot be cancelled: what it removes is gone from its first moment on.');
    await jobs.cancel(id, new Refusal(500, `The ${job.kind} was cancelled.`));
    return { data: { cancelled: true } };
  },
};
