#include "each_state.hpp"

namespace plucker::python {

int EachState::take(const char* argument, const py::object& object, long size,
                    const char* meaning) {
    return take_array(argument, object, {size}, meaning);
}
int EachState::take_matrix(const char* argument, const py::object& object, long rows, long columns,
                           const char* meaning) {
    return take_array(argument, object, {rows, columns}, meaning);
}

int EachState::take_array(const char* argument, const py::object& object, std::vector<long> core,
                          const char* meaning) {
    const Owned any = number_array(function_, argument, object.ptr());
    StateArray out;
    out.array = made(PyArray_FromArray(any.array(), PyArray_DescrFromType(NPY_DOUBLE),
                                       NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST));
    const npy_intp* shape = PyArray_DIMS(out.array.array());
    const int num_leading = PyArray_NDIM(out.array.array()) - static_cast<int>(core.size());
    std::string expected = "(...";
    bool fits = num_leading >= 0;
    for (std::size_t k = 0; k < core.size(); ++k) {
        expected += ", " + (core[k] == kAny ? "rows" : std::to_string(core[k]));
        if (fits && core[k] == kAny) core[k] = shape[num_leading];
        fits = fits && shape[static_cast<std::size_t>(num_leading) + k] == core[k];
    }
    if (!fits) {
        const std::string last =
            *meaning == 0 ? "" : std::string(": the last dimension is ") + meaning;
        throw Error::because(function_, ": ", argument, " has shape ",
                             shape_text(out.array.array()), ", expected ", expected, ")", last);
    }
    out.leading.assign(shape, shape + num_leading);
    out.rows = core[0];
    out.columns = core.size() > 1 ? core[1] : 1;
    broadcast(out.leading);
    arguments_.push_back(std::move(out));
    return static_cast<int>(arguments_.size()) - 1;
}

// As NumPy does it: from the last dimension on, and one stands for any number.
void EachState::broadcast(const std::vector<npy_intp>& leading) {
    const auto text = [](const std::vector<npy_intp>& shape) {
        return shape_text(static_cast<int>(shape.size()), shape.data());
    };
    std::vector<npy_intp> both(std::max(leading.size(), leading_.size()), 1);
    for (const std::vector<npy_intp>* one : {&std::as_const(leading_), &leading}) {
        for (std::size_t k = 0; k < one->size(); ++k) {
            npy_intp& size = both[both.size() - one->size() + k];
            if (size != 1 && (*one)[k] != 1 && size != (*one)[k]) {
                throw Error::because(function_, ": the leading dimensions do not fit together: ",
                                     text(leading_), " and ", text(leading));
            }
            if (size == 1) size = (*one)[k];
        }
    }
    leading_ = std::move(both);
}

Owned EachState::new_array(const std::vector<npy_intp>& core, int type) const {
    std::vector<npy_intp> shape = leading_;
    shape.insert(shape.end(), core.begin(), core.end());
    return made(PyArray_EMPTY(static_cast<int>(shape.size()), shape.data(), type, 0));
}

int EachState::add_result(long size) { return add_result_array({size}); }
int EachState::add_result(long rows, long columns) { return add_result_array({rows, columns}); }

int EachState::add_result_array(std::vector<npy_intp> core) {
    results_.push_back({new_array(core, NPY_DOUBLE), leading_, core[0],
                        core.size() > 1 ? static_cast<long>(core[1]) : 1});
    return static_cast<int>(results_.size()) - 1;
}

npy_intp EachState::count() const {
    return PyArray_MultiplyList(leading_.data(), static_cast<int>(leading_.size()));
}

// Which of an argument's parts is the state's: its dimensions are the last ones of all, and those of one are repeated.
const double* EachState::part(int k) const {
    const std::vector<npy_intp>& own = argument(k).leading;
    npy_intp rest = state_, at = 0, stride = 1;
    for (std::size_t back = 1; back <= own.size(); ++back) {
        const npy_intp size = leading_[leading_.size() - back];
        if (own[own.size() - back] != 1) {
            at += rest % size * stride;
            stride *= size;
        }
        rest /= size;
    }
    return argument(k).part(at);
}

Eigen::Map<const VectorX<double>> EachState::vector(int k) const {
    return {part(k), argument(k).rows};
}
Eigen::Map<const RowMajor> EachState::matrix(int k) const {
    return {part(k), argument(k).rows, argument(k).columns};
}
Eigen::Map<VectorX<double>> EachState::result(int k) const {
    const StateArray& out = results_[static_cast<std::size_t>(k)];
    return {out.part(state_), out.rows};
}
Eigen::Map<RowMajor> EachState::result_matrix(int k) const {
    const StateArray& out = results_[static_cast<std::size_t>(k)];
    return {out.part(state_), out.rows, out.columns};
}

Error EachState::of_state(const Error& error) const {
    std::string what = error.what();
    const std::string begin = std::string(function_) + ": ";
    if (what.starts_with(begin)) what.erase(0, begin.size());
    return Error::because(begin, "state ", state_, " of ", count(), ": ", what);
}

Status EachState::checked(Status status) const {
    for (const StateArray& out : results_) {
        Eigen::Map<VectorX<double>> numbers(out.part(state_), out.rows * out.columns);
        if (status == Status::kOk && !numbers.allFinite()) status = Status::kNonFiniteResult;
        if (status != Status::kOk) numbers.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    return status;
}

py::object EachState::returned(int k) {
    return py::reinterpret_steal<py::object>(results_[static_cast<std::size_t>(k)].array.release());
}

ForcesOfStates::ForcesOfStates(EachState& many, const Robot& robot, const py::object& external)
    : many_(many) {
    if (external.is_none()) return;
    if (!py::isinstance<Forces>(external)) {
        throw wrong_type(many.function(), "external", external.ptr(),
                         "plucker.ExternalForces, or None");
    }
    forces_ = &py::cast<const Forces&>(external);
    forces_->check_robot(many.function(), robot);
    if (forces_->entries().empty()) {
        forces_ = nullptr;
        return;
    }
    const Owned stacked = forces_->stacked(many.function(), NPY_DOUBLE);
    argument_ = many.take("external", py::reinterpret_borrow<py::object>(stacked.object()),
                          6 * static_cast<long>(forces_->entries().size()), "");
    here_.emplace(robot.model());
}

MaybeForces<double> ForcesOfStates::here() {
    if (forces_ == nullptr) return nullptr;
    here_->clear();
    const double* f = many_.vector(argument_).data();
    for (const Forces::Entry& entry : forces_->entries()) {
        here_->add(entry.place.frame, {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}},
                   entry.place.expressed_in);
        f += 6;
    }
    return &*here_;
}

}  // namespace plucker::python
