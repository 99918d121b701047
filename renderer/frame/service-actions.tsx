import { IconArrowLeft, IconServer2 } from '@tabler/icons-react';
import { at, hrefAt } from '../bridge/place.ts';
import { useActions, type Action } from '../stores/actions.ts';
import { otherServices } from '../stores/other-services.ts';

/** The ways to the other services, and back to the one of this machine. */
export function ServiceActions() {
  otherServices.useWatch('all');
  const all = otherServices.useValue('all').value ?? [];
  const others = all.filter(({ id }) => id !== at);
  const ways: readonly Action[] = others.map(({ id, name, address }) => ({
    label: `Look at ${name}`,
    icon: IconServer2,
    description: address,
    run: () => open(id),
  }));
  const back: Action = { label: 'Back to this machine', icon: IconArrowLeft, run: () => open(null) };
  useActions(at === null ? ways : [back, ...ways], 'everywhere');
  return null;
}

function open(id: string | null): void {
  window.location.hash = hrefAt(id);
}
