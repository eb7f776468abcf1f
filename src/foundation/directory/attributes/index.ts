/** The public interface of the part attributes: attributes of people that a tenant declares, and their values. */
export { type ProfileSubject, type ProfileType, profileForms } from './profile-types.ts';
export { profileAttributeService } from './service-attributes.ts';
export {
  type AttributeRow,
  countAttributes,
  findAttribute,
  findMisfits,
  insertValues,
  lockAttributes,
  lockAttributesShared,
  removeAttribute,
  updateAttribute,
} from './store-attributes.ts';
export { attributeSlot } from './slots.ts';
