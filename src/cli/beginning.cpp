#include "beginning.hpp"

#include <algorithm>

#include "input.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/close_loops.hpp"
#include "plucker/io/read_mesh.hpp"
#include "plucker/io/read_states.hpp"
#include "plucker/simulate/start.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

Beginning given_beginning(const Model& model, const std::string& path) {
    const TextFormat format = path.ends_with(".csv") ? TextFormat::kCsv : TextFormat::kJson;
    const std::string name = name_of_input(path);
    const std::vector<GivenState> states = read_states(model, read_input(path), name, format);
    if (states.empty() || states.front().q.size() == 0) throw Error(name + ": has no state with q");
    Beginning out{states.front().q, VectorX<double>::Zero(model.nv())};
    if (states.size() > 1)
        complain("{}: has {} states; the motion begins at the first\n", name, states.size());
    if (states.front().v.size() != 0) out.v = states.front().v;
    return out;
}

}  // namespace

Beginning beginning_of(const Model& model, const SimulateOptions& o, const Ground& ground) {
    Beginning out{neutral_configuration(model), VectorX<double>::Zero(model.nv())};
    const std::vector<std::string> postures = posture_names(model);
    const auto has = [&](const std::string& name) {
        return std::find(postures.begin(), postures.end(), name) != postures.end();
    };
    if (has(o.state)) {
        out.q = posture(model, o.state);
    } else if (!o.state.empty()) {
        out = given_beginning(model, o.state);
    } else if (has(kPostureOfFile) && !model.has_floating_base()) {
        out.q = posture(model, kPostureOfFile);
    } else if (o.has_ground && model.has_floating_base()) {
        World level = World::flat();  // as high as what is there
        level.read_mesh = read_mesh;
        level.shapes[0].placement.position.z = ground.height;
        put_on_ground(model, level, {0, 0, 1}, out.q);
    }
    if (!model.constraints().empty()) {
        const ClosedLoops loops = close_loops(model, out.q);
        if (!loops.closed && loops.residual > 1e-6) throw Error(loops.message);
        out.q = loops.q;
    }
    return out;
}

}  // namespace plucker::cli
