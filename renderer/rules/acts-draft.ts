import type { Act } from '#shared/domain/rules.ts';

/* Acts of a rule, as they are written in the form. */

interface TextDraft {
  readonly id: string;
  readonly text: string;
}

export interface ActsDraft {
  readonly note: boolean;
  readonly notify: boolean;
  readonly sound: boolean;
  readonly mqtt: boolean;
  /** Addresses. */
  readonly webhooks: readonly TextDraft[];
  /** People of a mail, with commas. */
  readonly mails: readonly TextDraft[];
}

export const NO_ACTS: ActsDraft = {
  note: true,
  notify: true,
  sound: false,
  mqtt: false,
  webhooks: [],
  mails: [],
};

export function actsDraft(acts: readonly Act[]): ActsDraft {
  return {
    note: acts.some((act) => act.do === 'note'),
    notify: acts.some((act) => act.do === 'notify'),
    sound: acts.some((act) => act.do === 'notify' && act.sound === true),
    mqtt: acts.some((act) => act.do === 'mqtt'),
    webhooks: texts(
      acts.flatMap((act) => (act.do === 'webhook' ? [act.url] : [])),
      'webhook',
    ),
    mails: texts(
      acts.flatMap((act) => (act.do === 'mail' ? [act.to.join(', ')] : [])),
      'mail',
    ),
  };
}

const texts = (all: readonly string[], kind: string): readonly TextDraft[] =>
  all.map((text, at) => ({ id: `${kind}${at}`, text }));

/** Adds an empty one behind the others. */
export function withOneMore(all: readonly TextDraft[], kind: string): readonly TextDraft[] {
  const last = Math.max(-1, ...all.map(({ id }) => Number(id.replace(/\D/g, ''))));
  return [...all, { id: `${kind}${last + 1}`, text: '' }];
}

/** The acts that a draft says, each with the field it is of. */
export function actsWritten(draft: ActsDraft): readonly { readonly act: object; readonly field: string }[] {
  const { note, notify, sound, mqtt, webhooks, mails } = draft;
  return [
    ...(note ? [{ act: { do: 'note' }, field: 'note' }] : []),
    ...(notify ? [{ act: { do: 'notify', ...(sound && { sound }) }, field: 'notify' }] : []),
    ...webhooks.map(({ id, text }) => ({ act: { do: 'webhook', url: text.trim() }, field: id })),
    ...(mqtt ? [{ act: { do: 'mqtt' }, field: 'mqtt' }] : []),
    ...mails.map(({ id, text }) => ({
      act: {
        do: 'mail',
        to: text.split(/[,;\s]+/).filter(Boolean),
      },
      field: id,
    })),
  ];
}
