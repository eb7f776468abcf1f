/** Our icons: 16 px, one stroke, the colour of the text. They are decoration; the word stands beside them. */
const paths = {
  inbox: 'M2.5 9.5 4.2 3.6a1 1 0 0 1 1-.6h5.6a1 1 0 0 1 1 .6l1.7 5.9v2.5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zm0 0H6l.8 1.5h2.4l.8-1.5h3.5',
  history: 'M2.8 8a5.2 5.2 0 1 0 1.6-3.7L2.8 5.8M2.8 2.8v3h3M8 5.2V8l2 1.4',
  key: 'M9.6 6.4a2.4 2.4 0 1 0-2 2.4zM7.6 8.4 13 13.6M11 11.7l1.4-1.3',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1',
  calendar: 'M3 4.5h10v8.5H3zM3 7.2h10M5.5 2.8v2.4M10.5 2.8v2.4',
  branch: 'M4 2.8v5a2 2 0 0 0 2 2h6M9.6 7.2l2.6 2.6-2.6 2.6',
  warning: 'M8 2.8 13.8 13H2.2zM8 6.6v3M8 11.2v.1',
  minus: 'M8 2.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6M5.6 8h4.8',
  grid: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  people:
    'M6 7.6a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6M2 13c0-2.2 1.8-3.6 4-3.6s4 1.4 4 3.6M10.4 3.2a2.2 2.2 0 0 1 0 4.2M11.6 9.7c1.5.5 2.4 1.7 2.4 3.3',
  sync: 'M13 7A5.2 5.2 0 0 0 3.6 5.2M3 2.8v2.6h2.6M3 9a5.2 5.2 0 0 0 9.4 1.8M13 13.2v-2.6h-2.6',
  flag: 'M3.6 14V2.6h8.2L10.4 5.4l1.4 2.8H3.6',
  shield: 'M8 2.4 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  sliders:
    'M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5M9.5 3.4a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2M6.5 9.4a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2',
  search: 'M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4M10.2 10.2l3.2 3.2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  check: 'M3.2 8.4l3.2 3.2 6.4-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  left: 'M9.8 3.5 5.3 8l4.5 4.5',
  right: 'M6.2 3.5 10.7 8l-4.5 4.5',
  up: 'M3.5 9.8 8 5.3l4.5 4.5',
  down: 'M3.5 6.2 8 10.7l4.5-4.5',
  clock: 'M8 2.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6M8 5.2V8l2 1.4',
  comment: 'M2.8 3.4h10.4v7.4H7.6L4.8 13v-2.2h-2z',
  swap: 'M3 5.2h9.4M10 2.8l2.4 2.4L10 7.6M13 10.8H3.6M6 8.4l-2.4 2.4L6 13.2',
  dots: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  plus: 'M8 3v10M3 8h10',
  upload: 'M8 10.5V3M5 5.8 8 2.8l3 3M3 10.5V13h10v-2.5',
  download: 'M8 2.8v7.4M5 7.4l3 3 3-3M3 10.5V13h10v-2.5',
  bell: 'M4 11.2V7a4 4 0 0 1 8 0v4.2l1 1H3zM6.6 13.6h2.8',
  file: 'M4 2.6h5l3 3v7.8H4zM9 2.6v3h3',
  info: 'M8 2.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6M8 7.4v3.4M8 5.2v.1',
  filter: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3',
  bolt: 'M9 2.4 3.8 9H8l-1 4.6L12.2 7H8z',
  pen: 'M3 13l.8-3L10.6 3.2l2.2 2.2L6 12.2z',
  copy: 'M5.5 5.5h7.5V13H5.5zM10.5 5.5V3H3v7.5h2.5',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6',
  command: 'M5.5 5.5V4A1.5 1.5 0 1 0 4 5.5h8A1.5 1.5 0 1 0 10.5 4v8a1.5 1.5 0 1 0 1.5-1.5H4A1.5 1.5 0 1 0 5.5 12z',
  shift: 'M8 2.8 13 8h-2.5v4.8h-5V8H3z',
  enter: 'M13 4v5H3.5M6 6.2 3.2 9 6 11.8',
  backspace: 'M6 4h7.5v8H6L2.5 8zM8 6.4l3.2 3.2M11.2 6.4 8 9.6',
  lock: 'M4 7.2h8V13H4zM5.6 7V5.4a2.4 2.4 0 0 1 4.8 0V7',
  offline: 'M4.6 12h7a2.4 2.4 0 0 0 .8-4.6A3.8 3.8 0 0 0 6.6 4.6M4.3 6.3A2.9 2.9 0 0 0 4.6 12M2.5 2.5l11 11',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
