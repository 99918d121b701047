import { Select, type SelectProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';

/**
 * A combobox whose options are searched by typing. Enter chooses the highlighted option: Mantine's own Enter goes by an
 * index, which a timer after the list has opened may set back behind keys that were faster, and would send the form then.
 */
export function SearchSelect(props: SelectProps) {
  return <Select searchable dir="auto" {...props} onKeyDown={chooseHighlighted} />;
}

function chooseHighlighted(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  const list = document.getElementById(event.currentTarget.getAttribute('aria-controls') ?? '');
  const option = list?.querySelector<HTMLElement>('[data-combobox-selected]');
  if (!option) return;
  event.preventDefault();
  option.click();
}
