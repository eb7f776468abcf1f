/** The programs that may ask for a sign-in from a terminal. None of them has a secret, so their names prove nothing. */

/** A program by its public client id. */
export interface DeviceClient {
  readonly id: string;
  readonly displayName: string;
}

/** The first is our command line. The ids of the others are those that are compiled into the public command lines of this API. */
const clients: readonly DeviceClient[] = [
  { id: 'countersign', displayName: 'Countersign command line' },
  { id: '2RGdOS94VDferT9e80mdgntl36K', displayName: 'cone' },
  { id: 'juQSPDsPrdMDpPpR6fGdeLLSs8g', displayName: 'c1i' },
];

/** Returns the program of an id; undefined for one that is not known. */
export function findDeviceClient(id: string): DeviceClient | undefined {
  return clients.find((client) => client.id === id);
}
