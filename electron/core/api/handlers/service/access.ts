import { operationIds, operationOf } from '#shared/operations/index.ts';
import { VERSION } from '../../../base/version.ts';
import { mayRun } from '../../authorize.ts';
import type { HandlersOf } from '../../context.ts';

export const accessHandlers: HandlersOf<'access'> = {
  'access.get'({ principal }, context) {
    const { account_id, permissions, project_ids } = principal;
    return {
      data: {
        version: VERSION,
        account_id,
        permissions: [...permissions],
        project_ids: project_ids && [...project_ids],
        operations: operationIds.filter((id) => mayRun(principal, operationOf(id), context)),
      },
    };
  },
};
