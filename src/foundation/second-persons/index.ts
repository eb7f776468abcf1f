/** The public interface of the module second-persons: acts that one Super Administrator asks for and another confirms. */
export { askSecondPerson, confirmRequest, readReason } from './ask.ts';
export { services } from './service.ts';
export { type RequestRow, type SecondPersonAct, secondPersonSlot } from './slots.ts';
export { shapeRequest } from './view.ts';
export { eraseReasons, findRequestAbout } from './store.ts';
