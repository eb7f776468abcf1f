/** The public interface of the module walkthroughs: its services. */
export { services } from './service.ts';
