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

/** The focused element has an outline that nothing around it cuts, or is a field with a border in the colour of the focus. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const shows = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'nothing has the focus';
      const { outlineOffset, outlineStyle, outlineWidth } = getComputedStyle(element);
      // A secret's field stands in another one, beside what shows it.
      const { borderTopColor } = getComputedStyle(element.closest('.mantine-Input-input') ?? element);
      const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      const probe = document.createElement('i');
      probe.style.color = 'var(--input-bd-focus)';
      element.parentElement?.append(probe);
      const isBordered =
        element.matches('input, textarea, select') && getComputedStyle(probe).color === borderTopColor;
      probe.remove();
      const named = element.outerHTML.slice(0, 120);
      if (!isOutlined) return isBordered ? 'focus' : `no focus on ${named}`;
      const ring = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth);
      const box = element.getBoundingClientRect();
      // Less than a pixel is seen by nobody.
      const most = ring - 1;
      for (let around = element.parentElement; around; around = around.parentElement) {
        const { overflowX, overflowY, overflowClipMargin } = getComputedStyle(around);
        const by = around.getBoundingClientRect();
        const room = overflowX === 'clip' ? Number.parseFloat(overflowClipMargin) : 0;
        const isCutAlong = box.left - most < by.left - room || box.right + most > by.right + room;
        const isCutAcross = box.top - most < by.top - room || box.bottom + most > by.bottom + room;
        if ((overflowX !== 'visible' && isCutAlong) || (overflowY !== 'visible' && isCutAcross))
          return `the ring of ${named} is cut by ${around.outerHTML.slice(0, 120)}`;
      }
      return 'focus';
    });
  // Borders take a moment to change their colour.
  await expect.poll(shows).toBe('focus');
}
