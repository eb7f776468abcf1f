"""Uses every operation that the published Python client knows and Countersign serves, through that client as it is published: here
reading the inventory, reviews, policies and credentials; the files that are imported do the rest. What goes in and out stands in client.py.
"""

import datetime
import json
import sys

from client import admin, check, failures, one, pages, sdk_of, token_by_assertion, token_by_secret, use, world
from conductorone_sdk.models import errors, shared

reviewer = sdk_of(token_by_secret(world["assignee"]))
app_id, user_id, other_id = world["appId"], world["userId"], world["otherAppId"]
expand_all = {"paths": ["*"]}

# Apps and what is in them.
one("auth.introspect", admin.auth.introspect)
app = one("apps.create", admin.apps.create, {"display_name": "By a client", "description": "new", "owners": [user_id], "monthly_cost_usd": 3})
new_id = app.app.id if app else ""
assert app is None or app.app.created_at is not None
changed = one("apps.update", admin.apps.update, {"id": new_id, "update_app_request": {"app": {"description": "changed"}, "update_mask": "description"}})
assert changed is None or (changed.app.description, changed.app.display_name) == ("changed", "By a client")
echoed = one("apps.get", admin.apps.get, {"id": new_id})
if echoed is not None:
    one("apps.update (an echo)", admin.apps.update, {"id": new_id, "update_app_request": {"app": echoed.app.model_dump(include=set(shared.AppInput.model_fields))}})
one("apps.delete", admin.apps.delete, {"id": new_id, "delete_app_request": {}})
pages("apps.list", admin.apps.list, {}, lambda row: row.id)
pages("app_search.search", admin.app_search.search, {"query": ""}, lambda row: row.id)
pages("app_owners.list", admin.app_owners.list, {"app_id": app_id}, lambda row: row.id)
one("app_owners.list_owner_i_ds", admin.app_owners.list_owner_i_ds, {"app_id": app_id})
one("app_owners.set", admin.app_owners.set, {"app_id": other_id, "set_app_owners_request": {"user_ids": [user_id]}})
one("app_owners.remove", admin.app_owners.remove, {"app_id": other_id, "user_id": user_id, "remove_app_owner_request": {}})
one("app_owners.remove (without a body)", admin.app_owners.remove, {"app_id": other_id, "user_id": user_id})
one("app_owners.add", admin.app_owners.add, {"app_id": other_id, "user_id": user_id, "add_app_owner_request": {}})
one("app_owners.delete", admin.app_owners.delete, {"app_id": other_id, "delete_app_owners_request": {}})
pages("app_resource_type.list", admin.app_resource_type.list, {"app_id": app_id}, lambda row: row.app_resource_type.id)
one("app_resource_type.get", admin.app_resource_type.get, {"app_id": app_id, "id": world["resourceTypeId"]})
in_type = {"app_id": app_id, "app_resource_type_id": world["resourceTypeId"]}
pages("app_resource.list", admin.app_resource.list, in_type, lambda row: row.app_resource.id)
one("app_resource.get", admin.app_resource.get, {**in_type, "id": world["resourceId"]})
entitlement_id = lambda row: row.app_entitlement.id
entitlements = admin.app_entitlements
pages("app_entitlements.list", entitlements.list, {"app_id": app_id}, entitlement_id)
one("app_entitlements.get", entitlements.get, {"app_id": app_id, "id": world["entitlementId"]})
pages("app_entitlements.list_for_app_resource", entitlements.list_for_app_resource, {**in_type, "app_resource_id": world["resourceId"]}, entitlement_id)
pages("app_entitlements.list_for_app_user", entitlements.list_for_app_user, {"app_id": app_id, "app_user_id": world["accountId"]}, entitlement_id)
of_entitlement = {"app_id": app_id, "app_entitlement_id": world["entitlementId"]}
pages("app_entitlements.list_users", entitlements.list_users, of_entitlement, lambda row: row.app_user_view.app_user.id)
search = admin.app_entitlement_search
pages("app_entitlement_search.search_app_entitlements_with_expired", search.search_app_entitlements_with_expired, of_entitlement)
found = pages("app_entitlement_search.search", search.search, {"app_ids": [app_id], "app_entitlement_expand_mask": expand_all}, entitlement_id)
accounts = pages("app_user.list", admin.app_user.list, {"app_id": app_id}, lambda row: row.app_user.id)
searched = pages("app_user.search", admin.app_user.search, {"app_id": app_id, "app_user_expand_mask": expand_all}, lambda row: row.app_user.id)
pages("app_user.list_app_users_for_user", admin.app_user.list_app_users_for_user, {"app_id": app_id, "user_id": user_id}, lambda row: row.app_user.id)

# People, roles, policies.
pages("user.list", admin.user.list, {}, lambda row: row.user.id)
one("user.get", admin.user.get, {"id": user_id})
pages("user_search.search", admin.user_search.search, {"query": "Person", "user_expand_mask": expand_all}, lambda row: row.user.id)
pages("roles.list", admin.roles.list, {}, lambda row: row.id, minimum=5)
one("roles.get", admin.roles.get, {"role_id": "000000000000000000BasicUser"})
steps = {"certify": {"steps": [{"approval": {"manager_approval": {"allow_self_approval": False, "fallback": True, "fallback_user_ids": [user_id]}}}]}}
policy = one("policies.create", admin.policies.create, {"display_name": "By a client", "policy_type": "POLICY_TYPE_CERTIFY", "policy_steps": steps})
policy_id = policy.policy.id if policy else ""
one("policies.update", admin.policies.update, {"id": policy_id, "update_policy_request": {"policy": {"description": "changed"}, "update_mask": "description"}})
kept = one("policies.get", admin.policies.get, {"id": policy_id})
assert kept is None or (kept.policy.description == "changed" and kept.policy.policy_steps["certify"].steps[0].approval.manager_approval.fallback_user_ids == [user_id])
one("policies.delete", admin.policies.delete, {"id": policy_id, "delete_policy_request": {}})
pages("policies.list", admin.policies.list, {}, lambda row: row.id)
pages("policy_search.search", admin.policy_search.search, {"query": ""}, lambda row: row.id)

# Credentials.
made = one("personal_client.create", admin.personal_client.create, {"display_name": "By a client", "allow_source_cidr": ["127.0.0.0/8", "::1/128"], "expires": "2592000s"})
client_id = made.personal_client.id if made else ""
if made is not None:
    fresh = {"clientId": made.personal_client.client_id, "clientSecret": made.client_secret}
    use("token of a new credential", lambda: check(sdk_of(token_by_assertion(fresh)).auth.introspect()))
one("personal_client.get", admin.personal_client.get, {"id": client_id})
one("personal_client.update", admin.personal_client.update, {"id": client_id, "personal_client_service_update_request": {"personal_client": {"display_name": "Renamed"}, "update_mask": "displayName"}})
one("personal_client.delete", admin.personal_client.delete, {"id": client_id, "personal_client_service_delete_request": {}})
one("personal_client.list", admin.personal_client.list)
pages("personal_client_search.search", admin.personal_client_search.search, {"query": ""}, lambda row: row.id)

# Tasks, by whom they are assigned to. This client never sends a list of enums (`task_states`), whatever it is given.
tasks = pages("task_search.search", reviewer.task_search.search, {"access_review_ids": [world["openId"]], "task_expand_mask": expand_all}, lambda row: row.task.id)
queue = [row.task for row in tasks or [] if row.task.state == "TASK_STATE_OPEN"]
one("task.get", reviewer.task.get, {"id": queue[0].id if queue else ""})
actions = reviewer.task_actions


def act(method, wrapper, body):
    task = queue.pop()
    return one(f"task_actions.{method.__name__}", method, {"task_id": task.id, wrapper: {"comment": "From a client", "task_expand_mask": expand_all, **body(task)}})


if len(queue) > 5:
    step = lambda task: {"policy_step_id": task.policy_instance.policy_step_instance.id}
    act(actions.approve, "task_actions_service_approve_request", step)
    act(actions.deny, "task_actions_service_deny_request", step)
    act(actions.comment, "task_actions_service_comment_request", lambda task: {})
    act(actions.reassign, "task_actions_service_reassign_request", lambda task: {**step(task), "new_step_user_ids": [world["ownerId"]]})
    queue.append(queue[-1])
    actions = admin.task_actions
    act(actions.restart, "task_actions_service_restart_request", lambda task: {})
    pages("task_audit.list", reviewer.task_audit.list, {"task_id": world["commentedTaskId"]}, minimum=1)

# The system log.
since = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
pages("system_log.list_events", admin.system_log.list_events, {"since": since, "sort_direction": "SORT_DIRECTION_ASC"})

# A refusal is the client's own error, with its status.
def refused():
    try:
        admin.apps.get(request={"id": "0" * 27})
    except errors.SDKError as error:
        assert error.status_code == 404 and json.loads(error.body)["code"] == 5, error.body
        return None, []
    raise AssertionError("not refused")


use("a refusal", refused)

import inventory  # noqa: E402 the rest, in the order in which it can be

sys.exit(1 if failures else 0)
