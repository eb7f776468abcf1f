/** The public interface of anchors: checkpoints that others hold. */
export { type AnchorRules, type ChosenPlace, requirePlaces } from './places.ts';
export { anchorKind, createAnchorJob, createAnchorsDue, findStamped, sendAnchorKind, sendToStamp } from './plan-anchors.ts';
export { createAnchorEffect } from './send-anchor.ts';
export {
  type AnchorRow,
  listAnchors,
  listAnchorsOf,
  listAnchorsSince,
  listChosenPlaces,
  listNewestAnchors,
  listOnTheirWay,
  removeOnTheirWay,
  updateChosenPlaces,
} from './store-anchors.ts';
