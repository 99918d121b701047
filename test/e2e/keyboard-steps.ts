import { expect, type Locator, type Page } from '@playwright/test';

/** Presses Tab until the focus is there, as far as a patient person would. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let stops = 0; stops < 40; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
  await expectVisibleFocus(page);
}

/** The focused element has an outline, or is a field with a border in the colour of the focus. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const shows = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'nothing has the focus';
      const { outlineStyle, outlineWidth, borderTopColor } = getComputedStyle(element);
      const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      const probe = document.createElement('i');
      probe.style.color = 'var(--input-bd-focus)';
      element.parentElement?.append(probe);
      const isBordered =
        element.matches('input, textarea') && getComputedStyle(probe).color === borderTopColor;
      probe.remove();
      return isOutlined || isBordered ? 'focus' : `no focus on ${element.outerHTML.slice(0, 120)}`;
    });
  // Borders take a moment to change their colour.
  await expect.poll(shows).toBe('focus');
}
