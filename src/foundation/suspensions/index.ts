/** The public interface of the module suspensions: what people held when they left, and an administrator restores once they are back. */
export { restoreAct } from './restore.ts';
export { services } from './service.ts';
