import { Button, Menu, useComputedColorScheme } from '@mantine/core';
import { IconCopy, IconFileText, IconFileVector, IconPhoto, IconPhotoDown } from '@tabler/icons-react';
import { useState } from 'react';
import { messageOf } from '../../bridge/ask.ts';
import { sayDone, sayFailed } from '../../components/work/notices.ts';
import { saveFile } from '../../components/work/save-file.ts';
import { keep, readKept } from '../../stores/kept.ts';
import { pictureSvg } from './page-svg.ts';
import { copyPicture, pictureName, pngFile, svgFile } from './save-picture.ts';
import { sceneLook } from './scene-look.ts';
import type { Scene } from './scene.ts';

interface PictureMenuProps {
  /** What is on the screen; null where there is nothing to make a picture of. */
  readonly sceneOf: () => Promise<Scene | null> | Scene | null;
  /** The devices on it, for the name of the file. */
  readonly devices: readonly { readonly name: string; readonly id: string; readonly isTwin: boolean }[];
  /** Goes to a report of what is on the screen, where there are any. */
  readonly onReport?: () => void;
}

/** CSS pixels of a picture: as wide as a page has use for, whatever the window is. */
const WIDTH = 1200;
const PLOT = 420;
/** Of each of several plots above one another. */
const STACKED_PLOT = 180;

/** The menu closes meanwhile, and forgets. */
const AS_SEEN = 'picture-as-seen';

/** A menu of pictures. */
export function PictureMenu(props: PictureMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPhotoDown size={16} />}
          title="Picture of the chart, or a report"
          data-spare
        >
          Picture
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <PictureItems {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Items of a menu: a file or a copy of the chart, with its title, span, legend and notes, to be handed over. */
export function PictureItems({ sceneOf, devices, onReport }: PictureMenuProps) {
  /** On white otherwise, for paper. */
  const [isSeen, setSeen] = useState(() => readKept(AS_SEEN) === '1');
  const scheme = useComputedColorScheme('light');
  const make = async (how: 'png' | 'svg' | 'copy') => {
    const scene = await sceneOf();
    if (!scene) return sayFailed('No picture was made', 'There is nothing on the chart yet.');
    const plotHeight = scene.panes.length > 1 ? STACKED_PLOT : PLOT;
    const svg = pictureSvg(scene, sceneLook(isSeen ? scheme : 'light', { width: WIDTH, plotHeight }));
    if (how === 'copy') {
      await copyPicture(pngFile(svg));
      return sayDone('Picture copied', 'Paste it where it is needed.');
    }
    const file = how === 'png' ? await pngFile(svg) : svgFile(svg);
    const saved = await saveFile(pictureName(devices, scene.window, scene.zone, how), file);
    if (saved !== null) sayDone('Picture saved', saved);
  };
  const begin = (how: 'png' | 'svg' | 'copy') =>
    void make(how).catch((error: unknown) => sayFailed('No picture was made', messageOf(error)));
  return (
    <>
      <Menu.Item leftSection={<IconPhoto size={16} />} onClick={() => begin('png')}>
        Save as PNG
      </Menu.Item>
      <Menu.Item leftSection={<IconFileVector size={16} />} onClick={() => begin('svg')}>
        Save as SVG
      </Menu.Item>
      {'clipboard' in navigator && typeof ClipboardItem !== 'undefined' && (
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => begin('copy')}>
          Copy picture
        </Menu.Item>
      )}
      <Menu.CheckboxItem
        closeMenuOnClick={false}
        checked={isSeen}
        onChange={(checked) => {
          setSeen(checked);
          keep(AS_SEEN, checked ? '1' : '0');
        }}
      >
        Colours as seen
      </Menu.CheckboxItem>
      {onReport && (
        <Menu.Item leftSection={<IconFileText size={16} />} onClick={onReport}>
          Report to print
        </Menu.Item>
      )}
    </>
  );
}
