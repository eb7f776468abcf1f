/** The public interface of the part document: SCIM documents: attributes, filters, paths and patches (RFC 7643, RFC 7644). */
export { type PatchOperation, applyPatch, readOperations } from './apply-patch.ts';
export { schemas, urns } from './attributes.ts';
export { ScimError, type ScimType, shapeScimError } from './errors.ts';
export { findMember, isObject } from './match-value.ts';
export { type Filter, FilterError, type FilterOperator, type FilterValue, parseFilter } from './parse-filter.ts';
export { type Projection, project, wants } from './project.ts';
export { readDocument, documentSchemas } from './read-document.ts';
export { type Searchable, foldText, keysOfUser, searchables, searchablesByPath } from './search-keys.ts';
export {
  type ResourceKind,
  type ResourceRow,
  countUsersOfAccount,
  findFormerAccount,
  findFormerGroup,
  findGroupOfName,
  findResource,
  findUserOfName,
  insertResource,
  removeResource,
  resourceColumns,
  updateResource,
  updateVersions,
} from './store-resources.ts';
