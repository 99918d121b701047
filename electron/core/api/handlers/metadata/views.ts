import { badRequest, notFound } from '../../../base/errors.ts';
import type { HandlersOf } from '../../context.ts';
import { viewView } from '../../resources.ts';

const MOST_OF_ACCOUNT = 1_000;

export const viewHandlers: HandlersOf<'views'> = {
  async 'views.list'({ principal }, { metadata }) {
    const { account_id } = principal;
    const views = await metadata.read((tables) => tables.list('views', { account_id }));
    return { data: views.map(viewView) };
  },

  async 'views.create'({ input, principal }, { metadata, clock, chance }) {
    const { account_id } = principal;
    const created = await metadata.change(async (tables) => {
      if ((await tables.count('views', { account_id })) >= MOST_OF_ACCOUNT)
        throw badRequest(`an account holds at most ${MOST_OF_ACCOUNT} saved views; delete some first`);
      const { name, address } = input;
      const id = chance.of(account_id).uuid();
      return tables.insert('views', { id, account_id, name, address, created: clock.now() });
    });
    return { data: viewView(created) };
  },

  async 'views.update'({ input, view }, { metadata }) {
    const { name, address } = input;
    const updated = await metadata.change((tables) => tables.patch('views', view.id, { name, address }));
    if (!updated) throw notFound('View');
    return { data: viewView(updated) };
  },

  async 'views.delete'({ view }, { metadata }) {
    if (!(await metadata.change((tables) => tables.remove('views', view.id)))) throw notFound('View');
    return { data: { id: view.id } };
  },
};
