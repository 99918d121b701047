import { ruleOf } from '#shared/domain/rules.ts';
import { badRequest } from '../../../base/errors.ts';
import type { HandlersOf } from '../../context.ts';
import { tryRule } from '../../rules/try-rule.ts';

export const ruleHandlers: HandlersOf<'rules'> = {
  async 'rules.try'({ input, project, principal, signal }, context) {
    const rule = ruleOf(input.condition);
    if (typeof rule === 'string') throw badRequest(rule);
    const { device_id = null, start, end } = input;
    const asked = { rule, device_id, start, end, key_id: principal.key_id, signal };
    return { data: await tryRule(project, asked, context) };
  },
};
