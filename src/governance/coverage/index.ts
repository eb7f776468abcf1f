/** The public interface of the module coverage: its services. */
export { services } from './service.ts';
