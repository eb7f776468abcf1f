/** Names of time zones behind a clock. Only those that mean one offset everywhere are read; any other is refused, never left out. */

/** Offsets by name in lower case. Those of North America are as RFC 5322 (4.3) has them. */
const offsets: ReadonlyMap<string, string> = new Map(
  `utc=Z gmt=Z z=Z ut=Z wet=+00:00 west=+01:00 wez=+00:00 wesz=+01:00 cet=+01:00 cest=+02:00 mez=+01:00 mesz=+02:00 hec=+01:00 heec=+02:00 eet=+02:00 eest=+03:00 oez=+02:00 oesz=+03:00
  est=-05:00 edt=-04:00 cst=-06:00 cdt=-05:00 mst=-07:00 mdt=-06:00 pst=-08:00 pdt=-07:00 akst=-09:00 akdt=-08:00 hst=-10:00
  msk=+03:00 sast=+02:00 jst=+09:00 kst=+09:00 hkt=+08:00 sgt=+08:00 aest=+10:00 aedt=+11:00 acst=+09:30 acdt=+10:30 awst=+08:00 nzst=+12:00 nzdt=+13:00`
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
);

/** Names of several zones, or of one whose offset changes with the year. */
const ambiguous: ReadonlySet<string> = new Set('bst ist ast amt adt sst pyt gst wst act ect cct smt et ct mt pt'.split(' '));

/** The offset that a zone's name or number means, as RFC 3339 has it; `Z` for none at all, undefined where it is not known. */
export function readZone(zone: string): string | undefined {
  const text = zone.trim().toLowerCase();
  if (text === '') {
    return 'Z';
  }
  const offset = /^(?:utc|gmt)?\s*([+-]\d\d):?(\d\d)?$/.exec(text);
  if (offset === null) {
    return offsets.get(text);
  }
  const [, hours = '', minutes = '00'] = offset;
  return Math.abs(Number(hours)) > 14 || Number(minutes) > 59 ? undefined : `${hours}:${minutes}`;
}

/** Says why the name of a zone is not read. */
export function describeZone(name: string): string {
  return ambiguous.has(name.toLowerCase())
    ? `${JSON.stringify(name)} is the name of several time zones; write the offset, such as +01:00`
    : `${JSON.stringify(name)} is no known time zone; write the offset, such as +01:00, or leave it out if the times are UTC`;
}
