// Where the widget stands: at the left or right edge, so far above the bottom.

export interface Place {
  side: 'left' | 'right';
  /** From the bottom of the window to the bottom of the widget, in pixels. */
  bottom: number;
}

export interface Room {
  width: number;
  height: number;
  /** The bar at the top, which the widget never covers. */
  top: number;
  /** Height of the widget. */
  own: number;
}

/** Where the specification has folded chats, and the widget until somebody moves it. */
export const restBottom = 106;
export const firstPlace: Place = { side: 'right', bottom: restBottom };

/** The nearest place inside the window. */
export function inside({ side, bottom }: Place, room: Room): Place {
  const highest = Math.max(0, room.height - room.top - room.own);
  return { side, bottom: Math.round(Math.min(Math.max(bottom, 0), highest)) };
}

/** The place for a widget dropped with its middle at (`x`, `y`). */
export function dropped(x: number, y: number, room: Room): Place {
  return inside({ side: x < room.width / 2 ? 'left' : 'right', bottom: room.height - y - room.own / 2 }, room);
}

const step = 16;

/** The place after an arrow key, or null for other keys. Alt makes steps of one pixel. */
export function moved(place: Place, key: string, fine: boolean, room: Room): Place | null {
  const size = fine ? 1 : step;
  if (key === 'ArrowLeft') return { ...place, side: 'left' };
  if (key === 'ArrowRight') return { ...place, side: 'right' };
  if (key === 'ArrowUp') return inside({ ...place, bottom: place.bottom + size }, room);
  if (key === 'ArrowDown') return inside({ ...place, bottom: place.bottom - size }, room);
  return null;
}

export function readPlace(text: string | null): Place {
  const match = /^(left|right) (\d{1,5})$/.exec(text ?? '');
  return match ? { side: match[1] === 'left' ? 'left' : 'right', bottom: Number(match[2]) } : firstPlace;
}

export const placeText = ({ side, bottom }: Place): string => `${side} ${bottom}`;

/** Pages that show no widget: the back office, the start page, 3D models, two pages of documents, and frames on other sites. */
export function hiddenOn(path: string): boolean {
  const plain = path.replace(/\/+$/, '') || '/';
  if (plain === '/' || plain === '/start' || plain === '/whitePage/preview' || plain === '/developer-apis/change-log') return true;
  return plain === '/system' || plain.startsWith('/system/') || plain.includes('visualization_model') || plain.startsWith('/embed/');
}
